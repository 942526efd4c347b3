import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import type { Notice, Update } from '../lib/wire';
import Table from './Table.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

// An accepted card needs no act, so its notice is short; a request to present a card again stays longer.
it.each(
  [
    ['accepted', 'table.accepted', 4000],
    ['again', 'gen.again.anyone', 9000],
  ] as const,
)('a notice passes, whatever comes meanwhile: %s', async (signal, k, stay) => {
  const notice: Notice = { n: 7, msg: { k }, signal };
  const update = (rev: number): Update => ({ ...samples['play']!(), rev, notice: { ...notice } });
  const props = { voice: language, lang: 'en' as const, onlang: () => {} };
  const { rerender } = render(Table, { update: update(1), ...props });
  const said = () => screen.queryByText(language.say(notice.msg)) !== null;
  for (let at = 1000; at < stay; at += 1000) {
    vi.advanceTimersByTime(1000);
    await rerender({ update: update(1 + at), ...props });
    flushSync();
    expect(said()).toBe(true);
  }
  vi.advanceTimersByTime(1000);
  flushSync();
  expect(said()).toBe(false);
});
