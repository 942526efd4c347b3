import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names, update } from '../dev/fixtures';

import { language } from '../lib/language.svelte';
import Given from './Given.svelte';
import { wished } from './wished';

beforeEach(async () => {
  sessionStorage.clear();
  language.learnNames(names);
  language.lang = 'en';
  await language.loadLater();
});
afterEach(cleanup);

/** What seat 1 reads in the lobby, when it has wished for a character. */
function read(wish: string): string | undefined {
  const { view } = update();
  language.learnSeats(view.seats);
  if (wish) wished.set(wish);
  render(Given, { view, seat: view.seats[0]! });
  const text = screen.queryByRole('status')?.textContent?.trim();
  cleanup();
  return text;
}

it('says in the lobby which character a player has, and why not another', () => {
  const { seats } = update().view;
  const [mine, other] = [seats[0]!, seats[1]!];
  const free = names.find((n) => n.kind === 'character' && !seats.some((s) => s.character === n.id))!.id;
  expect(read('')).toBeUndefined();
  expect(read(mine.character!)).toMatch(/^You play .+, as you wished\.$/);
  expect(read(other.character!)).toBe(
    `You play ${language.label(mine.character!)}: ${language.label(other.character!)} went to ${language.label('seat-2')}.`,
  );
  expect(read(free)).toBe(`You play ${language.label(mine.character!)}, not ${language.label(free)}: the host has decided so.`);
});
