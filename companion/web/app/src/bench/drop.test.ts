import { describe, expect, it } from 'vitest';
import { bench, update } from '../dev/fixtures';
import { SPOT, cardsAt, handOf, moveCards, movePawn, seatOfHand, dropTargets } from './drop';

describe('spots', () => {
  it('name hands by their seat', () => {
    expect(handOf(3)).toBe('hand:seat-3');
    expect(seatOfHand('hand:seat-3')).toBe(3);
    expect(seatOfHand('place-3')).toBeUndefined();
  });
  it('are all in the menu, each once', () => {
    const t = dropTargets(update(), ['urn']);
    expect(t).toHaveLength(6 + 4 + 7);
    expect(new Set(t).size).toBe(t.length);
  });
});

describe('moving cards', () => {
  const b = bench(update());
  const [one, two] = cardsAt(b, handOf(1)).map((c) => c.tag) as [string, string];
  it('is one act for one card', () => expect(moveCards(b, [one], SPOT.slot)).toEqual({ act: 'move', card: one, spot: 'slot' }));
  it('is one act for two cards together (GEN-E06)', () =>
    expect(moveCards(b, [one, two], SPOT.slot)).toEqual({ act: 'move', cards: [one, two], spot: 'slot' }));
  it('is nothing when they lie there', () => expect(moveCards(b, [one], handOf(1))).toBeUndefined());
  it('is nothing for cards that are not on the table', () => expect(moveCards(b, ['ffffffff'], SPOT.slot)).toBeUndefined());
});

describe('moving a pawn', () => {
  const [b, u] = [bench(update()), update()];
  it('goes to another place', () => expect(movePawn(b, u, 1, 'place-3')).toEqual({ act: 'pawn', seat: 1, place: 'place-3' }));
  it('is nothing where it stands', () => expect(movePawn(b, u, 1, 'place-salon')).toBeUndefined());
  it('is nothing off the places', () => expect(movePawn(b, u, 1, SPOT.slot)).toBeUndefined());
});
