// The numbers of covered cards. Their order is by chance, because a place in the order of the deck would tell a
// neighbour which card is touched.
import { shuffled } from '../lib/offers';

const kept = new Map<string, readonly string[]>();

/**
 * Puts the cards that lie somewhere in an order by chance, which stays the same until other cards lie there: a number
 * that was read on a card is its number until the act is over.
 */
export function orderByChance(where: 'hand' | 'tray', cards: readonly string[]): readonly string[] {
  const before = kept.get(where);
  if (before?.length === cards.length && cards.every((c) => before.includes(c))) return before;
  const order = shuffled(cards);
  kept.set(where, order);
  return order;
}
