import type { View } from '../lib/wire';
import * as cluedo from './cluedo/public';
import * as huisclos from './huisclos/public';
import type { PublicPart } from './parts';
import * as plain from './plain/public';
import { choose } from './which';

/** The game of a view: what is said of it in public. */
export const publicOf = (view: Pick<View, 'game' | 'case'>): PublicPart =>
  choose<PublicPart>(view, { huisclos: huisclos.part, cluedo: cluedo.part, plain: plain.part });
