import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import type { Name, Offer } from '../lib/wire';
import { unnamed } from './cards';
import { Line } from './line.svelte';
import Unnamed from './Unnamed.svelte';

const place = (id: string, fr: string, en: string): Name => ({ id, kind: 'place', text: { fr, en } });
const deck: Name[] = [
  place('place-salon', 'Salon', 'Drawing room'),
  place('place-3', 'Lieu 3', 'Place 3'),
  place('place-4', 'Cave 4 bis', 'Cellar'),
  place('place-5', 'Lieu 5', 'Place 5'),
  { id: 'weapon-5', kind: 'weapon', of: 'place-5', text: { fr: 'Arme 5', en: 'Weapon 5' } },
  { id: 'clue-peely-1', kind: 'clue', text: { fr: 'Miss Peely, indice 1', en: 'Miss Peely, clue 1' } },
];
const ids = deck.map((n) => n.id);
const of = (id: string) => deck.find((n) => n.id === id);
const rename: Offer = {
  act: 'rename',
  rule: 'GEN-010',
  params: [{ name: 'id', kind: 'value', domain: ids }, { name: 'fr', kind: 'text', max: 40 }, { name: 'en', kind: 'text', max: 40 }],
};

beforeEach(() => {
  language.learnNames(deck);
  language.lang = 'en';
});
afterEach(() => {
  cleanup();
  language.learnNames(names);
});

it('finds what is called by its number alone, and where somebody stands first', () => {
  expect(unnamed(ids, of, [])).toEqual(['place-3', 'place-5', 'weapon-5']);
  expect(unnamed(ids, of, [{ place: 'place-5', pawns: [1] }, { place: 'place-3', pawns: [] }])).toEqual(['place-5', 'weapon-5', 'place-3']);
});

it('a tap asks for the name, and the next one follows', async () => {
  const sent: unknown[] = [];
  const line = new Line((act, args) => sent.push([act, args]));
  render(Unnamed, { rename, places: [], line });
  await fireEvent.click(screen.getByRole('button', { name: 'Place 3' }));
  const field = screen.getByLabelText('What is Place 3 called in your box?');
  await fireEvent.input(field, { target: { value: ' Attic ' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Name it' }));
  expect(sent).toEqual([['rename', { id: 'place-3', fr: 'Attic', en: 'Attic' }]]);
  expect(screen.getByLabelText('What is Place 5 called in your box?')).toBeTruthy();
});

it('a box whose things all have names is asked nothing', () => {
  render(Unnamed, { rename: { ...rename, params: [{ name: 'id', kind: 'value', domain: ['place-salon'] }] }, places: [], line: new Line(() => undefined) });
  expect(document.querySelector('section')).toBeNull();
});
