import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Countdown from './Countdown.svelte';
import { language } from './language.svelte';
import { clockText, countLeft, windowOf } from './window';

describe('the window of a Cluedo', () => {
  const update = { epoch: 3, rev: 8, left: 9000 };
  it('lasts from its opening to its close', () =>
    expect(windowOf({ opened: 75_000, closes: 90_000 }, update)).toEqual({ key: '3.8', length: 15_000, left: 9000 }));
  it('that opens as the game begins has no stamp', () => expect(windowOf({ closes: 10_000 }, update)?.length).toBe(10_000));
  it.each([[undefined], [{}], [{ opened: 5, closes: 5 }]])('%j is none', (c) => expect(windowOf(c, update)).toBeUndefined());
  it('of which nothing is left is none', () => expect(windowOf({ closes: 9 }, { epoch: 3, rev: 8 })).toBeUndefined());
});

describe('the countdown over a game', () => {
  const update = { epoch: 7, rev: 1, count: { left: 60_000, of: 60_000, runs: true } };
  it('goes on from when the page had it, and stands where it stands', () => {
    expect([0, 20_000, 90_000].map((ms) => countLeft(update, 1000 + ms))).toEqual([60_000, 40_000, 0]);
    expect(countLeft({ epoch: 7, rev: 2, count: { left: 5000, of: 60_000 } }, 900_000)).toBe(5000);
  });
  it.each([[0, '0:00'], [1, '0:01'], [59_001, '1:00'], [754_000, '12:34'], [3_600_000, '1:00:00'], [3_845_000, '1:04:05']])(
    '%d ms is %s',
    (ms, said) => expect(clockText(ms)).toBe(said),
  );
});

describe('the countdown', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    language.lang = 'en';
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });
  const said = () => screen.getByRole('timer').textContent!.trim();
  it('begins with what is left, goes on a step a second, and stays at nothing', async () => {
    const open = { key: '1.1', length: 9000, left: 3000 };
    render(Countdown, { open });
    const all: string[] = [];
    for (let i = 0; i < 5; i++) {
      all.push(said());
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(all).toEqual(['3 s left', '2 s left', '1 s left', '0 s left', '0 s left']);
    cleanup();
    render(Countdown, { open });
    expect(said()).toBe('0 s left'); // drawn again, it goes on
    cleanup();
    render(Countdown, { open: { ...open, key: '1.2' } });
    expect(said()).toBe('3 s left'); // a new update replaces the count
  });
  it('fills its bar, and no more, when a reveal has given it more time', () => {
    const { container } = render(Countdown, { open: { key: '1.3', length: 3000, left: 4000 } });
    expect(container.querySelector('i')!.style.scale).toBe('1 1');
    expect(said()).toBe('4 s left');
  });
  it('goes on after a reload', async () => {
    const open = { key: '2.1', length: 3000, left: 3000 };
    const reloaded = async () => {
      vi.resetModules();
      return (await import('./window')).leftOf;
    };
    const start = Date.now();
    expect((await reloaded())(open, start)).toBe(3000);
    expect((await reloaded())(open, start + 2000)).toBe(1000);
    expect((await reloaded())({ ...open, key: '2.2' }, start + 2500)).toBe(3000);
    expect((await reloaded())({ ...open, key: '2.2' }, start + 100)).toBe(3000); // a clock put back
  });
});
