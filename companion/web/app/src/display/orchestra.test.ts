import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Orchestra } from './orchestra.svelte';

// A fake of a browser's sounds: the beginnings, with their times; and the animation frames still to run.
let begun: number[];
let frames: (() => void)[];
let state: string;
const NOW = 10;

const node = (): object =>
  new Proxy(() => undefined, {
    get(_, name) {
      if (name === 'start') return (at: number) => begun.push(at);
      if (name === 'getChannelData') return () => new Float32Array(1);
      return node();
    },
    set: () => true,
    apply: node,
  });

beforeEach(() => {
  [begun, frames, state] = [[], [], 'suspended'];
  const ctx = { sampleRate: 1, currentTime: NOW, resume: () => (state = 'running'), suspend: () => (state = 'suspended') };
  vi.stubGlobal('AudioContext', function() {
    return new Proxy(ctx, { get: (on, name) => (name === 'state' ? state : Reflect.get(on, name) ?? node()) as unknown });
  });
  vi.stubGlobal('requestAnimationFrame', (f: () => void) => frames.push(f));
  vi.useFakeTimers({ toFake: ['performance'] });
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});
const paint = () => frames.splice(0).forEach((f) => f());

it('a sound begins after the frame that shows it has been painted', () => {
  const all = new Orchestra();
  all.touch();
  all.play('murder');
  expect(begun).toEqual([]);
  paint();
  expect(begun.length).toBeGreaterThan(0);
  expect(Math.min(...begun)).toBeGreaterThan(NOW);
});

it('one that could not be heard in its time is not heard late', () => {
  const all = new Orchestra();
  all.touch();
  all.play('murder');
  vi.advanceTimersByTime(5_000);
  paint();
  expect(begun).toEqual([]);
});

it('one tap is silence, at once and after a reload, and one more is not', () => {
  const all = new Orchestra();
  all.touch();
  all.play('murder');
  all.toggle();
  paint();
  expect([begun, state]).toEqual([[], 'suspended']);
  const again = new Orchestra();
  again.touch();
  again.play('murder');
  paint();
  expect([begun, again.on]).toEqual([[], false]);
  again.toggle();
  again.play('murder');
  paint();
  expect(begun.length).toBeGreaterThan(0);
});

it('nothing is heard before somebody has touched the page', () => {
  new Orchestra().play('murder');
  paint();
  expect(begun).toEqual([]);
});

it('no sound is a file', () => {
  const files = import.meta.glob('../../{src,public}/**/*.{mp3,ogg,oga,opus,wav,flac,m4a,aac,weba,mid}');
  expect(Object.keys(files)).toEqual([]);
});
