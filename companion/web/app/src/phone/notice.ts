// Which notices disappear after a while.
import type { Notice } from '../lib/wire';

/** How long a notice that passes stays, in ms. */
export const PASSING = 4000;

/**
 * A public notice that asks nothing of this seat passes: a card was accepted, a
 * phone has joined, another seat must present its card again. A notice that asks
 * this seat or any seat for something, and a private one, stays until it has
 * been read.
 */
export const isPassing = (n: Notice, seat: number | undefined): boolean => {
  const asked = n.msg.a?.['seat'];
  const others = n.signal === 'again' && asked !== undefined && asked !== `seat-${seat}`;
  return n.private !== true && (n.signal === 'accepted' || n.passing === true || others);
};
