import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type How, type Means, awake } from './awake';
import { type Film, film } from './film';

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

let stops: (() => void)[] = [];
function keep(means: Means): () => void {
  const stop = awake(told, means);
  stops.push(stop);
  return stop;
}
afterEach(() => {
  stops.forEach((stop) => stop());
  stops = [];
});
beforeEach(() => {
  visible = 'visible';
  heard.length = 0;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible as DocumentVisibilityState);
});

describe('the screen stays on by a lock', () => {
  it('until the game is over, and again whenever the page is seen again', async () => {
    const release = vi.fn().mockResolvedValue(undefined);
    const request = vi.fn().mockResolvedValue({ release, released: false });
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
    expect(release).toHaveBeenCalledTimes(1);
    turn('visible');
    tap();
    expect(request).toHaveBeenCalledTimes(2);
  });
  it('from the first tap on where it is refused before, and says so until then', async () => {
    const request = vi.fn().mockRejectedValueOnce(new Error('no tap')).mockResolvedValue({ release: vi.fn(), released: false });
    keep({ lock: { request }, film: none });
    await settle();
    expect(heard).toEqual(['none']);
    tap();
    await settle();
    expect(heard).toEqual(['none', 'lock']);
  });
  it('and lets it go when the game ended while the browser thought about it', async () => {
    const release = vi.fn().mockResolvedValue(undefined);
    keep({ lock: { request: async () => ({ release }) as never }, film: none })();
    await settle();
    expect(release).toHaveBeenCalledTimes(1);
    expect(heard).toEqual([]);
  });
});

describe('without a lock', () => {
  const reel = () => {
    const of = { playing: false, play: vi.fn(async () => void (of.playing = true)), pause: vi.fn(() => void (of.playing = false)), end: vi.fn() };
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
  it('a browser that can do neither is told, and nothing breaks', async () => {
    const stop = keep({ lock: undefined, film });
    tap();
    await settle();
    expect(heard).toEqual(['none', 'none']);
    expect(stop).not.toThrow();
    expect(document.querySelector('video')).toBeNull();
  });
});
