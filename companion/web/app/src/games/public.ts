import type { PublicPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<PublicPart>('./*/public.ts', { eager: true, import: 'part' });

/** The game of a view: what is said of it in public. */
export const publicOf = (view: Played): PublicPart => partOf(view, parts, 'public');
