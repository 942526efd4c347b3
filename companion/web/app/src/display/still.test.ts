import { cleanup, render } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import Display from './Display.svelte';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('the arrow is seen while a mouse moves, and for a moment after', async () => {
  vi.useFakeTimers();
  render(Display, { line: { update: undefined, trouble: undefined, start: () => () => undefined } });
  const still = (): boolean => document.documentElement.classList.contains('still');
  expect(still()).toBe(true);
  window.dispatchEvent(new Event('pointermove'));
  await vi.advanceTimersByTimeAsync(2900);
  expect(still()).toBe(false);
  window.dispatchEvent(new Event('pointermove'));
  await vi.advanceTimersByTimeAsync(2900);
  expect(still()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(still()).toBe(true);
});
