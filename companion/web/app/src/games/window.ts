import { type Open, windowOf } from '../lib/window';
import type { Update } from '../lib/wire';

/** The window that is open now, in a game that has windows. */
export const windowIn = (update: Update): Open | undefined => windowOf(update.view.case, update);
