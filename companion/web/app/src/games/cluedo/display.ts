import type { DisplayPart } from '../parts';
import Ground from './Ground.svelte';
import Beside from './Inquiry.svelte';
import Night from './Midnight.svelte';
import { laidOpen as laid, solution } from './inquiry';

export const part: DisplayPart = { Ground, Beside, Night, counted: true, solution, laid };
