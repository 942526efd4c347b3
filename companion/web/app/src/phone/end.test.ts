// The winners at the end of a game: whom the pages name, and how often.
import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { samples } from '../dev/fixtures';
import { eachTest, open } from '../dev/seatpage';
import Table from '../display/Table.svelte';
import { language } from '../lib/language.svelte';
import type { Result } from '../lib/wire';

eachTest();

const survivors: Result = { rule: 'HC-154', winners: [1, 3], msg: { k: 'hc.over.survivors' } };
const unmasked: Result = { rule: 'HC-150', winners: [1], msg: { k: 'hc.over.unmasked', a: { seat: 'seat-1' } } };
const count = (name: string, within: string) => within.split(name).length - 1;

describe('the winners', () => {
  it('are named on the phone where the sentence does not name them', async () => {
    open('over', {}, (u) => (u.view.result = survivors));
    await screen.findByRole('heading', { level: 2 });
    expect(document.querySelector('.winners')!.textContent).toMatch(/Anne\s*Chloé/);
  });
  it('are named once where it does', async () => {
    open('over', {}, (u) => (u.view.result = unmasked));
    const sentence = await screen.findByRole('heading', { level: 2 });
    expect(document.querySelector('.winners')!.textContent!.trim()).toBe('');
    expect(sentence.textContent).toContain('Anne');
  });
  it.each([[survivors, 'Anne and Chloé win'], [unmasked, 'Anne has unmasked the Murderer and wins.']])(
    'are named on the display, %#',
    (result, said) => {
      const over = samples['over']!();
      render(Table, { update: { ...over, view: { ...over.view, result } }, voice: language, lang: language.lang, onlang: () => undefined });
      const curtain = document.querySelector('.curtain')!.textContent!.replaceAll(/\s+/g, ' ');
      expect(curtain).toContain(said);
      expect(count('Anne', curtain)).toBe(1);
    },
  );
});
