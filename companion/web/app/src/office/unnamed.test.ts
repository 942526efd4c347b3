import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { sampleOffice } from '../dev/office';
import { language } from '../lib/language.svelte';
import { listUnnamed } from '../host/cards';
import type { Name } from '../lib/wire';
import UnnamedThings from './UnnamedThings.svelte';

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

beforeEach(() => {
  language.learnNames(deck);
  language.lang = 'en';
});
afterEach(() => {
  cleanup();
  language.learnNames(names);
});

it('finds what is called by its number alone, and where somebody stands first', () => {
  expect(listUnnamed(ids, of, [])).toEqual(['place-3', 'place-5', 'weapon-5']);
  expect(listUnnamed(ids, of, [{ place: 'place-5', pawns: [1] }, { place: 'place-3', pawns: [] }])).toEqual(['place-5', 'weapon-5',
    'place-3']);
});

it('a tap asks for the name, and the next one follows', async () => {
  const sent: unknown[] = [];
  render(UnnamedThings, { office: sampleOffice({ 'names-set': () => null }, (row, args) => sent.push([row, args])), places: [] });
  await fireEvent.click(screen.getByRole('button', { name: 'Place 3' }));
  const field = screen.getByLabelText('What is Place 3 called in your box?');
  await fireEvent.input(field, { target: { value: ' Attic ' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Name it' }));
  expect(sent).toEqual([['names-set', { id: 'place-3', fr: 'Attic', en: 'Attic' }]]);
  expect(screen.getByLabelText('What is Place 5 called in your box?')).toBeTruthy();
});

it('says at the field why a name is not taken', async () => {
  render(UnnamedThings, { office: sampleOffice({ 'names-set': () => new Error('table.deck.store') }), places: [] });
  await fireEvent.click(screen.getByRole('button', { name: 'Weapon 5' }));
  await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'Whip' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Name it' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Weapon 5' }));
  expect((await screen.findByRole('alert')).textContent).toBe(language.t('table.deck.store'));
});

it('a box whose things all have names is asked nothing', () => {
  language.learnNames(deck.filter((n) => n.id === 'place-salon'));
  render(UnnamedThings, { office: sampleOffice({}), places: [] });
  expect(document.querySelector('section')).toBeNull();
});
