import { beforeEach, describe, expect, it, vi } from 'vitest';
import { language } from './language.svelte';

const text = (fr: string, en: string) => ({ fr, en });

beforeEach(() => {
  language.lang = 'fr';
  language.learnNames([
    { id: 'place-salon', kind: 'place', text: text('Salon', 'Drawing room') },
    { id: 'clue-peely-1', kind: 'clue', text: text('Indice n° 1 : Miss Peely', 'Clue no. 1: Miss Peely') },
    { id: 'role-murderer', kind: 'role', text: text('Meurtrier', 'Murderer') },
    { id: 'rounds-exhausted', kind: 'switch', text: text('Après le dernier tour', 'After the last round') },
    { id: 'nobody', kind: 'value', of: 'rounds-exhausted', text: text('personne ne gagne', 'nobody wins') },
    { id: 'nobody', kind: 'value', of: 'other-rule', text: text('nul', 'no one') },
    { id: 'gen.again', kind: 'sentence', text: text('{seat} est à bord : partons.', '{seat} is aboard: let us sail.') },
    { id: 'PN-080', kind: 'sentence', text: text('Tous répondent.', 'All answer.') },
  ]);
  language.learnSeats([{ seat: 2, name: 'Iris' }, { seat: 3, name: '' }] as never);
});

describe('a name', () => {
  it.each([
    ['place-salon', 'Salon'],
    ['seat-2', 'Iris'],
    ['clue-peely-1', 'Indice n°\u00a01\u00a0: Miss Peely'],
    ['seat-3', 'Place\u00a03'],
    ['seat-9', 'Place\u00a09'],
    ['seat-2,place-salon', 'Iris et Salon'],
    ['seat-2,place-salon,seat-9', 'Iris, Salon et Place\u00a09'],
    ['nobody', 'nobody'],
    ['Lecomte, peut-être', 'Lecomte, peut-être'],
  ])('%s is %s', (id, want) => expect(language.label(id)).toBe(want));
  it('follows the language', () => {
    language.lang = 'en';
    expect(language.label('place-salon')).toBe('Drawing room');
    expect(language.label('seat-2,place-salon,seat-9')).toBe('Iris, Drawing room and Seat 9');
  });
  it('of a value depends on its house rule', () => {
    expect(language.value('rounds-exhausted', 'nobody')).toBe('personne ne gagne');
    expect(language.value('other-rule', 'nobody')).toBe('nul');
    expect(language.value('other-rule', 'unheard-of')).toBe('unheard-of');
  });
});

it('puts a message of the daemon into words', () => {
  expect(language.say({ k: 'gen.again', a: { seat: 'seat-2' } })).toContain('Iris');
});

it('has sentences of the game in the place of its own', () => {
  expect(language.say({ k: 'gen.again', a: { seat: 'seat-2' } })).toBe('Iris est à bord\u00a0: partons.');
  expect(language.own('PN-080')).toBe('Tous répondent.');
  expect(language.own('PN-080', 'en')).toBe('All answer.');
  expect(language.own('PN-081')).toBeUndefined();
  expect(language.own('place-salon')).toBeUndefined();
});

it.each([['?lang=fr', 'fr'], ['?lang=en', 'en'], ['?lang=de', 'en'], ['', 'en']])(
  'begins with %s in %s, where nothing is kept and the browser wants English',
  async (search, want) => {
    localStorage.clear();
    history.replaceState(null, '', `/display${search}`);
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
    vi.resetModules();
    expect((await import('./language.svelte')).language.lang).toBe(want);
    vi.restoreAllMocks();
  },
);
