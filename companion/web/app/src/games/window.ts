import { type Open, windowOf } from '../lib/window';
import type { View } from '../lib/wire';

/** The window that is open now, in a game that has windows. */
export const windowIn = (view: Pick<View, 'case'>): Open | undefined => windowOf(view.case);
