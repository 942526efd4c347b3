import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import type { BoxCheck } from '../lib/wire';
import Gate from './Gate.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const box = (since: number, where: BoxCheck['where']): BoxCheck => ({
  kinds: [],
  missing: ['clue-worms-1', 'clue-peely-2'],
  foreign: 0,
  gate: true,
  since,
  ...(where ? { where } : {}),
});

it('runs on, and takes up what the table says', async () => {
  const page = render(Gate, { box: box(3000, undefined) });
  const shown = () => screen.getByRole('timer').textContent;
  expect(shown()).toBe('0:03');
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown()).toBe('0:08');
  await page.rerender({ box: box(9000, undefined) });
  expect(shown()).toBe('0:09');
  await vi.advanceTimersByTimeAsync(81_000);
  expect(shown()).toBe('1:30');
});

it('tells each place once, with the cards that were seen there at the same time', () => {
  render(Gate, {
    box: box(0, [
      { card: 'clue-worms-1', at: 'urn', ago: 90_000, game: true },
      { card: 'clue-peely-2', at: 'show', ago: 125_000 },
      { card: 'clue-peely-1', at: 'show', ago: 150_000 },
      { card: 'clue-worms-2', at: 'urn', ago: 59_000 },
    ]),
  });
  const all = screen.getAllByRole('listitem').map((e) => e.textContent?.replace(/\s+/g, ' ').trim());
  expect(all).toHaveLength(3);
  expect(all[2]).toMatch(/a moment ago/);
  expect(all[0]).toMatch(/during the game/);
  expect(all[1]).toMatch(/2 min ago.* · /);
});
