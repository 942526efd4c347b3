// Which notices go away by themselves.
import type { Notice } from '../lib/wire';

/** How long a notice that passes stays, in ms. */
export const PASSING = 4000;

/**
 * That a card was accepted, or that a phone has come, is told to everybody and
 * asks nothing of anybody.
 * What asks to present a card again, and what one seat alone is told, stays
 * until it has been read.
 */
export const passes = (n: Notice): boolean => (n.signal === 'accepted' || n.passing === true) && n.private !== true;
