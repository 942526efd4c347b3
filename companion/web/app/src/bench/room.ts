import { mount } from 'svelte';
import Bench from './Bench.svelte';

export const open = (target: HTMLElement): void => void mount(Bench, { target });
