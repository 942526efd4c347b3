import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clueNames } from '../dev/clue';
import { language } from '../lib/language.svelte';
import type { Args, Name, Offer } from '../lib/wire';
import Deck from './Deck.svelte';
import { effects, filled, sentence } from './effect';
import { Line } from './line.svelte';

const value = (name: string, ...domain: string[]) => ({ name, kind: 'value', domain });
const rewrite: Offer = {
  act: 'rewrite',
  rule: 'GEN-010',
  aside: true,
  params: [
    { name: 'id', kind: 'card', domain: ['clue-card-1', 'clue-card-2'] },
    value('kind', 'show', 'gather', 'link', 'manual', 'nothing'),
    value('who', 'holder', 'chosen', 'next', 'all'),
    value('what', 'suspect', 'weapon', 'room', 'suspect-rose', 'choice'),
    value('to', 'all', 'left', 'active'),
  ],
};
const rename: Offer = {
  act: 'rename',
  rule: 'GEN-010',
  params: [value('id', 'suspect-rose', 'clue-card-1', 'clue-card-2'), { name: 'fr', kind: 'text', max: 48 }],
};

describe('the sentence of a clue card', () => {
  it('begins with who shows, or with what else happens', () =>
    expect(effects(rewrite)).toEqual(['holder', 'chosen', 'next', 'all', 'gather', 'link', 'manual', 'nothing']));
  it.each([
    { kind: 'show', who: 'holder', what: 'suspect-rose', to: 'all' },
    { kind: 'show', who: 'all', what: 'choice', to: 'left' },
    { kind: 'gather' },
  ])('says what the card does: %o', (does) => expect(filled(sentence(does), rewrite)).toEqual(does));
  it('is not sent before it is whole', () => {
    expect(filled({ does: '', what: '', to: 'all' }, rewrite)).toBeUndefined();
    expect(filled({ does: 'holder', what: '', to: 'all' }, rewrite)).toBeUndefined();
    expect(filled({ does: 'next', what: '', to: '' }, rewrite)).toBeUndefined();
  });
});

describe('on the page of names', () => {
  const card = (id: string, does: NonNullable<Name['does']>): Name => ({ id, kind: 'clue-card', text: { fr: id, en: id }, does });
  let sent: [string, Args][] = [];
  let line: Line;
  function page(offers: Offer[]): void {
    sent = [];
    line = new Line((act, args) => sent.push([act, args]));
    render(Deck, { offers, line, busy: false, onact: () => undefined, onclose: () => undefined });
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

  it('each card has as many choices as its sentence', () => {
    page([rename, rewrite]);
    expect([choice('what it does', 1), choice('what is shown', 1), choice('who sees it', 1)].map((e) => e?.value)).toEqual(['holder', 'suspect-rose', 'all']);
    expect([choice('what it does', 2), choice('what is shown', 2), choice('who sees it', 2)].map((e) => e?.value)).toEqual(['gather', undefined, undefined]);
  });
  it('a choice is kept once the sentence is whole, and a refusal stands beside it', async () => {
    page([rename, rewrite]);
    await fireEvent.change(choice('what it does', 2)!, { target: { value: 'holder' } });
    expect(sent).toEqual([]);
    await fireEvent.change(choice('what is shown', 2)!, { target: { value: 'weapon' } });
    expect(sent).toEqual([['rewrite', { id: 'clue-card-2', kind: 'show', who: 'holder', what: 'weapon', to: 'all' }]]);
    line.state({
      is: 'refused',
      act: 'rewrite',
      reject: { code: 'forbidden', rule: 'GEN-010', why: { k: 'table.deck.clue.what', a: { card: 'clue-card-2' } } },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('the card to be shown is missing');
    await fireEvent.change(choice('what it does', 2)!, { target: { value: 'nothing' } });
    expect(sent.at(-1)).toEqual(['rewrite', { id: 'clue-card-2', kind: 'nothing' }]);
  });
  it('during a game the names can be changed, and not what the cards do', () => {
    page([rename]);
    expect(screen.queryAllByRole('combobox')).toEqual([]);
    expect(screen.getByText('What they do is changed before a game.')).toBeTruthy();
    expect(screen.getAllByRole('textbox')).toHaveLength(3);
  });
});
