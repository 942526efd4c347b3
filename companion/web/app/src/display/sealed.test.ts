import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import Table from './Table.svelte';

beforeEach(() => language.learnNames(names));
afterEach(cleanup);

it('shows the beginning of the code of a deal, to compare it with the phones', async () => {
  const update = samples['play']!();
  const { rerender } = render(Table, { update, voice: language, lang: language.lang, onlang: () => undefined });
  expect(document.querySelector('.phase .code')).toBe(null);
  const root = '0123456789abcdef'.repeat(4);
  await rerender({ update: { ...update, rev: update.rev + 1, proof: { root } } });
  expect(document.querySelector('.phase .code')?.textContent).toBe('0123 4567 89ab cdef');
});
