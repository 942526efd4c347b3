import type { View } from '../lib/wire';
import * as cluedo from './cluedo/phone';
import * as huisclos from './huisclos/phone';
import type { PhonePart } from './parts';
import * as plain from './plain/phone';
import { choose } from './which';

/** The game of a view: how a phone shows it. */
export const phoneOf = (view: Pick<View, 'game' | 'case'>): PhonePart =>
  choose<PhonePart>(view, { huisclos: huisclos.part, cluedo: cluedo.part, plain: plain.part });
