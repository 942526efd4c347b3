import { cleanup, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seatSamples } from '../dev/seats';
import type { Update } from '../lib/wire';
import Stirred from '../dev/Stirred.svelte';

const buzz = vi.fn(() => true);
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { vibrate: buzz });
  buzz.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The effects of a phone that neighbours notice without reading the page: light, sound, vibration. */
async function outside(...views: Update['view'][]): Promise<string[]> {
  const { rerender, container } = render(Stirred, { view: views[0]! });
  const all: string[] = [];
  const look = () => all.push(`${container.innerHTML} ${JSON.stringify(buzz.mock.calls)}`);
  for (const view of views) {
    await rerender({ view });
    look();
    for (let i = 0; i < 8; i++) {
      vi.advanceTimersByTime(100);
      await tick();
      look();
    }
  }
  cleanup();
  buzz.mockClear();
  return all;
}

const before = () => seatSamples['move']!().view;
const then = (what: string) => {
  const v = before();
  v.happened = [...v.happened, { what, n: 99 }];
  return v;
};
const lit = (all: string[]) => all.filter((s) => / class="[^"]*lit/.test(s)).length;

it('the edge is lit for a while at what all see, with the buzz of phones that can', async () => {
  const all = await outside(before(), then('murdered'));
  expect(lit(all.slice(0, 9))).toBe(0);
  expect(lit(all.slice(9))).toBe(6); // 600 ms
  expect(all.at(-1)).toContain('[[250]]');
});

it('what is private stirs nothing', async () => {
  const mine = before();
  mine.me = { ...mine.me!, hand: [] };
  mine.active = [mine.seats[0]!.seat];
  expect(lit(await outside(before(), mine, before()))).toBe(0);
});

it('every phone stirs alike, whatever it holds', async () => {
  const other = (view: Update['view']) => ({ ...view, viewer: 'seat-3', me: { ...view.me!, hand: [] }, offers: [] });
  const same = [before(), then('murdered'), then('shown')];
  expect(await outside(...same.map(other))).toEqual(await outside(...same));
});
