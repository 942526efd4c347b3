import Ground from '../../display/Ground.svelte';
import type { DisplayPart } from '../parts';

export const part: DisplayPart = { Ground };
