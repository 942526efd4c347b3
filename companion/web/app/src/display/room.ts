import { mount } from 'svelte';
import Display from './Display.svelte';

export const open = (target: HTMLElement): void => void mount(Display, { target });
