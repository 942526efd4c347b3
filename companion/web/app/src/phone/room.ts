import { mount } from 'svelte';
import { Visit } from '../lib/visit.svelte';
import Phone from './Phone.svelte';

// It begins to join the table before the words of the page are loaded.
const visit = new Visit('seat');
void visit.come();

export const ready = visit.settled;
export const open = (target: HTMLElement): void => void mount(Phone, { target, props: { visit } });
