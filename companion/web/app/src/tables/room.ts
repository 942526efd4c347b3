import { mount } from 'svelte';
import Tables from './Tables.svelte';

export const open = (target: HTMLElement): void => void mount(Tables, { target });
