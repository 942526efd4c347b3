import { describe, expect, it } from 'vitest';
import { fitText, placePawns, layOutRooms } from './plan';

describe('rooms', () => {
  it.each([0, 1, 2, 6, 7, 9, 16])('%i places have as many rooms', (n) => expect(layOutRooms(n)).toHaveLength(n));
  it('never draws more than a view can list', () => expect(layOutRooms(99)).toHaveLength(16));
  it('keeps names and piles apart from pawns', () => {
    for (const n of [7, 9, 16]) {
      for (const r of layOutRooms(n)) {
        expect(r.name.y).toBeLessThan(r.pawns.y);
        const beside = Math.abs(r.pile.x - (r.pawns.x + r.pawns.w / 2)) > r.pawns.w / 2;
        expect(beside || r.pile.y < r.pawns.y).toBe(true);
      }
    }
  });
});

describe('pawnSpots', () => {
  // HC-021: all eight pawns may be in one place, whichever it is.
  for (const [i, room] of layOutRooms(7).entries()) {
    it.each([1, 2, 3, 4, 5, 6, 7, 8])(`room ${i} holds %i pawns inside its box, none over another`, (n) => {
      const spots = placePawns(room.pawns, n);
      expect(spots).toHaveLength(n);
      const { x, y, w, h } = room.pawns;
      for (const s of spots) {
        expect(s.d).toBeGreaterThanOrEqual(30);
        expect(s.x - s.d / 2).toBeGreaterThanOrEqual(x - 0.01);
        expect(s.x + s.d / 2).toBeLessThanOrEqual(x + w + 0.01);
        expect(s.y - s.d / 2).toBeGreaterThanOrEqual(y - 0.01);
        expect(s.y + s.d / 2).toBeLessThanOrEqual(y + h + 0.01);
      }
      for (const [a, one] of spots.entries()) {
        for (const two of spots.slice(a + 1)) {
          expect(Math.hypot(one.x - two.x, one.y - two.y)).toBeGreaterThanOrEqual(one.d - 0.01);
        }
      }
    });
  }
  it('is nothing for nobody', () => expect(placePawns({ x: 0, y: 0, w: 9, h: 9 }, 0)).toEqual([]));
});

it('fit shrinks long names but keeps them readable', () => {
  expect(fitText('Salon', 250)).toBe(24);
  expect(fitText('La Chambre des Miroirs Brisés', 250)).toBeLessThan(13.1);
  expect(fitText('x'.repeat(80), 250)).toBe(13);
});
