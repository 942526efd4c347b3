import type { View } from '../lib/wire';
import * as cluedo from './cluedo/bench';
import * as huisclos from './huisclos/bench';
import type { BenchPart } from './parts';
import * as plain from './plain/bench';
import { choose } from './which';

/** The game of a view: what the simulated table does for it. */
export const benchOf = (view: Pick<View, 'game' | 'case'>): BenchPart =>
  choose<BenchPart>(view, { huisclos: huisclos.part, cluedo: cluedo.part, plain: plain.part });
