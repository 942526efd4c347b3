import type { PhonePart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<PhonePart>('./*/phone.ts', { eager: true, import: 'part' });

/** The game of a view: how a phone shows it. */
export const phoneOf = (view: Played): PhonePart => partOf(view, parts, 'phone');
