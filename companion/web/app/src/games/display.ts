import type { View } from '../lib/wire';
import * as cluedo from './cluedo/display';
import * as huisclos from './huisclos/display';
import type { DisplayPart } from './parts';
import * as plain from './plain/display';
import { choose } from './which';

/** The game of a view: how the display draws it. */
export const displayOf = (view: Pick<View, 'game' | 'case'>): DisplayPart =>
  choose<DisplayPart>(view, { huisclos: huisclos.part, cluedo: cluedo.part, plain: plain.part });
