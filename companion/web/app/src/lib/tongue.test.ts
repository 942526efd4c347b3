import { beforeEach, describe, expect, it } from 'vitest';
import { tongue } from './tongue.svelte';

const text = (fr: string, en: string) => ({ fr, en });

beforeEach(() => {
  tongue.lang = 'fr';
  tongue.learnNames([
    { id: 'place-salon', kind: 'place', text: text('Salon', 'Drawing room') },
    { id: 'clue-peely-1', kind: 'clue', text: text('Indice n° 1 : Miss Peely', 'Clue no. 1: Miss Peely') },
    { id: 'role-murderer', kind: 'role', text: text('Meurtrier', 'Murderer') },
    { id: 'rounds-exhausted', kind: 'switch', text: text('Après le dernier tour', 'After the last round') },
    { id: 'nobody', kind: 'value', of: 'rounds-exhausted', text: text('personne ne gagne', 'nobody wins') },
    { id: 'nobody', kind: 'value', of: 'other-rule', text: text('nul', 'no one') },
  ]);
  tongue.learnSeats([{ seat: 2, name: 'Iris' }, { seat: 3, name: '' }] as never);
});

describe('a name', () => {
  it.each([
    ['place-salon', 'Salon'],
    ['seat-2', 'Iris'],
    ['clue-peely-1', 'Indice n° 1\u00a0: Miss Peely'],
    ['seat-3', 'Place 3'],
    ['seat-9', 'Place 9'],
    ['seat-2,place-salon', 'Iris, Salon'],
    ['nobody', 'nobody'],
    ['Lecomte, peut-être', 'Lecomte, peut-être'],
  ])('%s is %s', (id, want) => expect(tongue.label(id)).toBe(want));
  it('follows the language', () => {
    tongue.lang = 'en';
    expect(tongue.label('place-salon')).toBe('Drawing room');
  });
  it('of a value depends on its house rule', () => {
    expect(tongue.value('rounds-exhausted', 'nobody')).toBe('personne ne gagne');
    expect(tongue.value('other-rule', 'nobody')).toBe('nul');
    expect(tongue.value('other-rule', 'unheard-of')).toBe('unheard-of');
  });
});

it('puts a message of the daemon into words', () => {
  expect(tongue.say({ k: 'gen.again', a: { seat: 'seat-2' } })).toContain('Iris');
});
