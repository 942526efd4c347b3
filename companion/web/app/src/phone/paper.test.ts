import { cleanup, fireEvent, render, screen as page } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seatSamples } from '../dev/seats';
import { language } from '../lib/language.svelte';
import TableFacts from './TableFacts.svelte';
import { paper } from './paper.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const isDark = () => document.documentElement.classList.contains('dark-paper');

it('one tap makes cards and sheet dark, one more light; the choice is kept', async () => {
  render(TableFacts, { update: seatSamples['move']!(), number: 1, phones: undefined, onforget: () => {} });
  expect(isDark()).toBe(false);
  await fireEvent.click(page.getByRole('button', { name: 'Dark cards and sheet' }));
  expect([isDark(), paper.dark, localStorage.getItem('majordome:paper')]).toEqual([true, true, 'dark']);
  await fireEvent.click(page.getByRole('button', { name: 'Light cards and sheet' }));
  expect([isDark(), localStorage.getItem('majordome:paper')]).toEqual([false, 'light']);
});

it.each([
  [undefined, true, true],
  [undefined, false, false],
  ['light', true, false],
  ['dark', false, true],
])('chosen %s on a phone whose colours are dark: %s', async (chosen, dark, want) => {
  if (chosen) localStorage.setItem('majordome:paper', chosen);
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('dark') && dark, addEventListener: () => {} }));
  vi.resetModules();
  expect((await import('./paper.svelte')).paper.dark).toBe(want);
  expect(isDark()).toBe(want);
});
