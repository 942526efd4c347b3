import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import Table from './Table.svelte';

beforeEach(() => {
  language.learnNames(names);
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const props = (sample: string) => ({ update: samples[sample]!(), voice: language, lang: language.lang, onlang: () => undefined });
const alone = (): boolean => document.querySelector('.table.winning') !== null;

it('who has won has the wall for ten seconds, then the rest comes back', async () => {
  const { rerender } = render(Table, props('play'));
  expect(alone()).toBe(false);
  await rerender(props('survivors'));
  expect([alone(), document.querySelector('footer')]).toEqual([true, null]);
  await vi.advanceTimersByTimeAsync(9900);
  await rerender({ update: { ...samples['survivors']!(), rev: 99 } }); // a phone has gone
  expect(alone()).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect([alone(), document.querySelector('footer') !== null]).toEqual([false, true]);
});
it('a display that is opened after the end shows all of it at once', () => {
  render(Table, props('survivors'));
  expect(alone()).toBe(false);
});
