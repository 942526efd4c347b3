import type { Msg, View } from '../lib/wire';
import type { PhonePart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<PhonePart>('./*/phone.ts', { eager: true, import: 'part' });

/** The game of a view: how a phone shows it. */
export const phoneOf = (view: Played): PhonePart => partOf(view, parts, 'phone');

/** The prompt of a seat: it sends nobody to a reader that is not needed. */
export const promptOf = (view: View): Msg => ({ ...view.prompt, k: phoneOf(view).unread?.(view) ?? view.prompt.k });
