import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type How, type Means, keepAwake } from './awake';
import { type Film, makeFilm } from './film';

const settle = () => new Promise((done) => setTimeout(done));
let visible = 'visible';
const turn = (to: string) => {
  visible = to;
  document.dispatchEvent(new Event('visibilitychange'));
};
const tap = () => document.body.click();
const none = () => undefined;
const heard: How[] = [];
const told = (how: How) => void heard.push(how);

/** A fake of a browser's wake lock. */
const sentinel = () =>
  Object.assign(new EventTarget(), { released: false, release: vi.fn().mockResolvedValue(undefined) }) as unknown as WakeLockSentinel;
function takeBack(one: WakeLockSentinel): void {
  (one as { released: boolean }).released = true;
  one.dispatchEvent(new Event('release'));
}

let stops: (() => void)[] = [];
function keep(means: Means): () => void {
  const stop = keepAwake(told, means);
  stops.push(stop);
  return stop;
}
afterEach(() => {
  stops.forEach((stop) => stop());
  stops = [];
  vi.useRealTimers();
});
beforeEach(() => {
  visible = 'visible';
  heard.length = 0;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible as DocumentVisibilityState);
});

describe('the screen stays on by a lock', () => {
  it('until the game is over, and again whenever the page is seen again', async () => {
    const one = sentinel();
    const request = vi.fn().mockResolvedValue(one);
    const stop = keep({ lock: { request }, film: none });
    expect(request).toHaveBeenCalledWith('screen');
    turn('hidden'); // the browser takes the lock back
    expect(request).toHaveBeenCalledTimes(1);
    turn('visible');
    expect(request).toHaveBeenCalledTimes(2);
    await settle();
    tap(); // it is held
    expect(request).toHaveBeenCalledTimes(2);
    expect(heard).toEqual(['lock', 'lock']);
    stop();
    expect(one.release).toHaveBeenCalledTimes(1);
    turn('visible');
    tap();
    expect(request).toHaveBeenCalledTimes(2);
  });
  it('from the first tap on where it is refused before, and says so until then', async () => {
    const request = vi.fn().mockRejectedValueOnce(new Error('no tap')).mockResolvedValue(sentinel());
    keep({ lock: { request }, film: none });
    await settle();
    expect(heard).toEqual(['none']);
    tap();
    await settle();
    expect(heard).toEqual(['none', 'lock']);
  });
  it('and lets it go when the game ended while the browser thought about it', async () => {
    const one = sentinel();
    keep({ lock: { request: async () => one }, film: none })();
    await settle();
    expect(one.release).toHaveBeenCalledTimes(1);
    expect(heard).toEqual([]);
  });
  it('is asked for again where the browser takes it back from a page in sight, after twice the pause each time, and says so', async () => {
    vi.useFakeTimers();
    const given: WakeLockSentinel[] = [];
    const request = vi.fn(async () => given[given.push(sentinel()) - 1]!);
    const stop = keep({ lock: { request }, film: none });
    for (const pause of [1000, 2000, 4000]) {
      await vi.advanceTimersByTimeAsync(0);
      expect(heard.at(-1)).toBe('lock');
      takeBack(given.at(-1)!);
      expect(heard.at(-1)).toBe('none');
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(heard.at(-1)).toBe('none');
      await vi.advanceTimersByTimeAsync(1);
      expect(heard.at(-1)).toBe('lock');
    }
    expect(request).toHaveBeenCalledTimes(4);
    takeBack(given.at(-1)!);
    tap(); // does not wait for the pause
    await vi.advanceTimersByTimeAsync(0);
    expect(heard.at(-1)).toBe('lock');
    takeBack(given[0]!); // a lock that ended long ago has no effect
    expect(heard.at(-1)).toBe('lock');
    takeBack(given.at(-1)!);
    stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(request).toHaveBeenCalledTimes(5);
  });
  it('is not asked for while the page is hidden', async () => {
    vi.useFakeTimers();
    const one = sentinel();
    const request = vi.fn().mockResolvedValue(one);
    keep({ lock: { request }, film: none });
    await vi.advanceTimersByTimeAsync(0);
    turn('hidden');
    takeBack(one);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(request).toHaveBeenCalledTimes(1);
    expect(heard).toEqual(['lock']);
  });
});

describe('without a lock', () => {
  const reel = () => {
    const of = {
      playing: false,
      play: vi.fn(async () => void (of.playing = true)),
      pause: vi.fn(() => void (of.playing = false)),
      end: vi.fn(),
    };
    return of satisfies Film;
  };
  it('a film begins with a tap, rests while the page is hidden, and ends with the game', async () => {
    const one = reel();
    const make = vi.fn(() => one);
    const stop = keep({ lock: undefined, film: make });
    turn('visible');
    expect(make).not.toHaveBeenCalled(); // nothing plays before a tap
    tap();
    await settle();
    tap();
    turn('hidden');
    expect(one.pause).toHaveBeenCalledTimes(1);
    turn('visible');
    await settle();
    expect([make, one.play].map((f) => f.mock.calls.length)).toEqual([1, 2]);
    expect(heard).toEqual(['none', 'film', 'film']);
    stop();
    expect(one.end).toHaveBeenCalledTimes(1);
    tap();
    expect(make).toHaveBeenCalledTimes(1);
  });
  it('a film that may not play is told, and tried again at the next tap', async () => {
    const one = { ...reel(), play: vi.fn().mockRejectedValue(new Error('not allowed')) };
    keep({ lock: undefined, film: () => one });
    tap();
    await settle();
    tap();
    await settle();
    expect(one.play).toHaveBeenCalledTimes(2);
    expect(heard).toEqual(['none', 'none', 'none']);
  });
  it('a film that the browser pauses is told, and tried again after a second', async () => {
    vi.useFakeTimers();
    const one = reel();
    let ended = (): void => {};
    keep({
      lock: undefined,
      film: (onended) => {
        ended = onended;
        return one;
      },
    });
    tap();
    await vi.advanceTimersByTimeAsync(0);
    one.playing = false;
    ended();
    expect(heard).toEqual(['none', 'film', 'none']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toEqual(['none', 'film', 'none', 'film']);
    expect(one.play).toHaveBeenCalledTimes(2);
  });
  it('a browser that can do neither is told, and nothing breaks', async () => {
    const stop = keep({ lock: undefined, film: makeFilm });
    tap();
    await settle();
    expect(heard).toEqual(['none', 'none']);
    expect(stop).not.toThrow();
    expect(document.querySelector('video')).toBeNull();
  });
});
