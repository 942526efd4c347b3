import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isFull } from './full';

/** Sets the window to a size, on a screen of 1920 x 1080. */
function stands(width: number, height: number, says = false, can = true): void {
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('innerHeight', height);
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: says && query === '(display-mode: fullscreen)' }));
  Object.defineProperty(document, 'fullscreenEnabled', { value: can, configurable: true });
}
beforeEach(() => vi.stubGlobal('screen', { width: 1920, height: 1080 }));
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'fullscreenEnabled');
});

it('a window may become full, even as wide or as high as the screen', () => {
  for (const [width, height] of [[1280, 720], [1920, 985], [960, 1080]] as const) {
    stands(width, height);
    expect(isFull(), `${width}x${height}`).toBe(false);
  }
});

it('one that the browser calls full is, whatever the zoom', () => {
  stands(1280, 720, true);
  expect(isFull()).toBe(true);
});

it('so is one that leaves nothing of the screen', () => {
  stands(1920, 1080);
  expect(isFull()).toBe(true);
});

it('nothing is offered that the browser cannot do', () => {
  stands(1280, 720, false, false);
  expect(isFull()).toBe(true);
});
