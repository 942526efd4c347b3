import { expect, it } from 'vitest';
import { type ToldRow, splitIntoPages } from './storytext';

const row = (letters: number): ToldRow => ({ seat: 1, name: '', place: '', text: 'a'.repeat(letters) });
const [s, l] = [row(40), row(200)];

it('leaves of short rows are as even as can be', () => {
  expect(splitIntoPages([s!, s!, s!, s!])).toEqual([[s, s, s, s]]);
  expect(splitIntoPages([s!, s!, s!, s!, s!])).toEqual([[s, s, s], [s, s]]);
  expect(splitIntoPages([])).toEqual([[]]);
});
it('a row that is longer than three lines has a column to itself', () => {
  expect(splitIntoPages([s!, l!, s!])).toEqual([[s, l], [s]]);
  expect(splitIntoPages([l!, s!, s!, s!])).toEqual([[l, s, s], [s]]);
  expect(splitIntoPages([l!, l!, l!])).toEqual([[l, l], [l]]);
});
