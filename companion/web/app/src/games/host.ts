import type { View } from '../lib/wire';
import * as cluedo from './cluedo/host';
import * as huisclos from './huisclos/host';
import type { HostPart } from './parts';
import * as plain from './plain/host';
import { choose } from './which';

/** The game of a view: what the host’s page says of it. */
export const hostOf = (view: Pick<View, 'game' | 'case'>): HostPart =>
  choose<HostPart>(view, { huisclos: huisclos.part, cluedo: cluedo.part, plain: plain.part });
