import type { DisplayPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<DisplayPart>('./*/display.ts', { eager: true, import: 'part' });

/** The game of a view: how the display draws it. */
export const displayOf = (view: Played): DisplayPart => partOf(view, parts, 'display');
