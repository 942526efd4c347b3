import { mount } from 'svelte';
import Host from './Host.svelte';

export const open = (target: HTMLElement): void => void mount(Host, { target });
