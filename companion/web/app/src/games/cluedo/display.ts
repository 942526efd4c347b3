import type { DisplayPart } from '../parts';
import Ground from './Ground.svelte';
import Beside from './Inquiry.svelte';
import Night from './Midnight.svelte';
import Verdict from './Verdict.svelte';
import { laidOpen as laid, nights, solution } from './inquiry';

export const part: DisplayPart = { Ground, Beside, Night, Verdict, dialled: nights, counted: true, solution, laid };
