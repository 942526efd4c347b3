import { mount } from 'svelte';
import { Visit } from '../lib/visit.svelte';
import Phone from './Phone.svelte';

// It sets out for the table before there are words to show it with.
const visit = new Visit('seat');
void visit.come();

export const ready = visit.settled;
export const open = (target: HTMLElement): void => void mount(Phone, { target, props: { visit } });
