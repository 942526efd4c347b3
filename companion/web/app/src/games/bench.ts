import type { BenchPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<BenchPart>('./*/bench.ts', { eager: true, import: 'part' });

/** The game of a view: what the simulated table does for it. */
export const benchOf = (view: Played): BenchPart => partOf(view, parts, 'bench');
