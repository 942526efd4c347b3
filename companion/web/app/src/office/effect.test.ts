import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clueNames } from '../dev/clue';
import { type Row, sampleOffice } from '../dev/office';
import { language } from '../lib/language.svelte';
import type { Args, Name, Naming, Param } from '../lib/wire';
import Deck from './Deck.svelte';
import { listEffects, effectArgs, parseSentence } from './effect';

const value = (name: string, ...domain: string[]): Param => ({ name, kind: 'value', domain });
const clues: Param[] = [
  { name: 'id', kind: 'card', domain: ['clue-card-1', 'clue-card-2'] },
  value('kind', 'show', 'gather', 'link', 'manual', 'nothing'),
  value('who', 'holder', 'chosen', 'next', 'all'),
  value('what', 'suspect', 'weapon', 'room', 'suspect-rose', 'choice'),
  value('to', 'all', 'left', 'active'),
];
const names: Naming = { ids: ['suspect-rose', 'clue-card-1', 'clue-card-2'] };

describe('the sentence of a clue card', () => {
  it('begins with who shows, or with what else happens', () =>
    expect(listEffects(clues)).toEqual(['holder', 'chosen', 'next', 'all', 'gather', 'link', 'manual', 'nothing']));
  it.each([
    { kind: 'show', who: 'holder', what: 'suspect-rose', to: 'all' },
    { kind: 'show', who: 'all', what: 'choice', to: 'left' },
    { kind: 'gather' },
  ])('says what the card does: %o', (does) => expect(effectArgs(parseSentence(does), clues)).toEqual(does));
  it('is not sent before it is whole', () => {
    expect(effectArgs({ does: '', what: '', to: 'all' }, clues)).toBeUndefined();
    expect(effectArgs({ does: 'holder', what: '', to: 'all' }, clues)).toBeUndefined();
    expect(effectArgs({ does: 'next', what: '', to: '' }, clues)).toBeUndefined();
  });
});

describe('on the page of names', () => {
  const card = (id: string, does: NonNullable<Name['does']>): Name => ({ id, kind: 'clue-card', text: { fr: id, en: id }, does });
  let sent: [string, Args][] = [];
  async function page(more: Partial<Naming>, clue: Row = () => null): Promise<void> {
    sent = [];
    const office = sampleOffice({ names: { ...names, ...more }, 'names-clue': clue, 'names-reset': () => null },
      (row, args) => sent.push([row, args]));
    render(Deck, { office, onclose: () => undefined });
    await screen.findAllByRole('textbox');
  }
  beforeEach(() => {
    language.lang = 'en';
    language.learnNames([
      ...clueNames(),
      card('clue-card-1', { kind: 'show', who: 'holder', what: 'suspect-rose', to: 'all' }),
      card('clue-card-2', { kind: 'gather' }),
    ]);
  });
  afterEach(cleanup);
  const choice = (part: string, n: number) => screen.queryByRole('combobox', { name: `Card ${n}: ${part}` }) as HTMLSelectElement | null;

  it('each card has as many choices as its sentence', async () => {
    await page({ lobby: true, clues });
    expect([choice('what it does', 1), choice('what is shown', 1), choice('who sees it', 1)].map((e) => e?.value)).toEqual(['holder',
      'suspect-rose', 'all']);
    expect([choice('what it does', 2), choice('what is shown', 2), choice('who sees it', 2)].map((e) => e?.value)).toEqual(['gather',
      undefined, undefined]);
  });
  it('a choice is kept once the sentence is whole, and a refusal stands beside it', async () => {
    await page({ lobby: true, clues }, () => new Error('table.deck.clue.what'));
    await fireEvent.change(choice('what it does', 2)!, { target: { value: 'holder' } });
    expect(sent).toEqual([]);
    await fireEvent.change(choice('what is shown', 2)!, { target: { value: 'weapon' } });
    expect(sent).toEqual([['names-clue', { id: 'clue-card-2', kind: 'show', who: 'holder', what: 'weapon', to: 'all' }]]);
    expect((await screen.findByRole('alert')).textContent).toContain('the card to be shown is missing');
    await fireEvent.change(choice('what it does', 2)!, { target: { value: 'nothing' } });
    expect(sent.at(-1)).toEqual(['names-clue', { id: 'clue-card-2', kind: 'nothing' }]);
  });
  it('during a game the names can be changed, and not what the cards do', async () => {
    await page({});
    expect(screen.queryAllByRole('combobox')).toEqual([]);
    expect(screen.getByText('What they do is changed before a game.')).toBeTruthy();
    expect(screen.getAllByRole('textbox')).toHaveLength(3);
  });
  it('the way back is asked for twice, and there is none from what has not been changed', async () => {
    await page({ lobby: true });
    expect(screen.queryByRole('button', { name: 'Back to the original names' })).toBeNull();
    cleanup();
    await page({ lobby: true, own: true });
    await fireEvent.click(screen.getByRole('button', { name: 'Back to the original names' }));
    expect(sent).toEqual([]);
    await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.sure') }));
    expect(sent).toEqual([['names-reset', {}]]);
  });
});
