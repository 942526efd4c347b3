import { mount } from 'svelte';
import Venue from './Venue.svelte';

export const open = (target: HTMLElement): void => void mount(Venue, { target });
