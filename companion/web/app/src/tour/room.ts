import { mount } from 'svelte';
import Tour from './Tour.svelte';

export const open = (target: HTMLElement): void => void mount(Tour, { target });
