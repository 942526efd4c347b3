import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Countdown from './Countdown.svelte';
import { language } from './language.svelte';
import { windowOf } from './window';

describe('the window of a Cluedo', () => {
  it('lasts from its opening to its close', () => expect(windowOf({ opened: 75_000, closes: 90_000 })).toEqual({ key: '75000-90000', length: 15_000 }));
  it('that opens as the game begins has no stamp', () => expect(windowOf({ closes: 10_000 })?.length).toBe(10_000));
  it.each([[undefined], [{}], [{ opened: 5, closes: 5 }]])('%j is none', (c) => expect(windowOf(c)).toBeUndefined());
  it('opened anew is another one', () => expect(windowOf({ opened: 1, closes: 9 })?.key).not.toBe(windowOf({ opened: 2, closes: 9 })?.key));
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
  it('goes from when it was first seen, a step a second, and stays at nothing', async () => {
    const open = { key: 'a', length: 3000 };
    render(Countdown, { open });
    const said: string[] = [];
    for (let i = 0; i < 5; i++) {
      said.push(screen.getByRole('timer').textContent!.trim());
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(said).toEqual(['3 s left', '2 s left', '1 s left', '0 s left', '0 s left']);
    cleanup();
    render(Countdown, { open });
    expect(screen.getByRole('timer').textContent!.trim()).toBe('0 s left'); // drawn anew, it goes on
    cleanup();
    render(Countdown, { open: { key: 'b', length: 3000 } });
    expect(screen.getByRole('timer').textContent!.trim()).toBe('3 s left'); // another window
  });
  it('goes on after a reload, and begins anew with the same window of another game', async () => {
    const open = { key: '1-3001', length: 3000 };
    const reloaded = async () => {
      vi.resetModules();
      return (await import('./window')).firstSeen;
    };
    const start = Date.now();
    expect((await reloaded())(open, start)).toBe(start);
    expect((await reloaded())(open, start + 2000)).toBe(start);
    expect((await reloaded())({ key: '1-9001', length: 9000 }, start + 2000)).toBe(start + 2000);
    expect((await reloaded())({ key: '1-9001', length: 9000 }, start + 600_000)).toBe(start + 600_000);
    expect((await reloaded())({ key: '1-9001', length: 9000 }, start + 100)).toBe(start + 100); // a clock put back
  });
});
