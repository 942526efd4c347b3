// Which notices go away by themselves.
import type { Notice } from '../lib/wire';

/** How long a notice that passes stays, in ms. */
export const PASSING = 4000;

/**
 * That a card was accepted, or that a phone has come, is told to everybody and
 * asks nothing of anybody; nor does a card that another seat is to present again.
 * What asks this seat, or whoever it may be, and what one seat alone is told,
 * stays until it has been read.
 */
export const passes = (n: Notice, seat: number | undefined): boolean => {
  const asked = n.msg.a?.['seat'];
  const others = n.signal === 'again' && asked !== undefined && asked !== `seat-${seat}`;
  return n.private !== true && (n.signal === 'accepted' || n.passing === true || others);
};
