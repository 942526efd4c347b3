import { expect, it } from 'vitest';
import * as engine from '../gen/engine';
import fr from '../../../../../engine/words/story.fr.json';
import type { Happening } from '../lib/wire';
import { HAPPENINGS } from '../lib/happenings';
import { SILENT, buildEvening } from './evening';

let n = 0;
const h = (what: string, more: Partial<Happening> = {}): Happening => ({ what, n: ++n, ...more });
const list = (...all: Happening[]): Happening[] => all.map((one, i) => ({ ...one, n: i + 1 }));
const keys = (evening: ReturnType<typeof buildEvening>) =>
  evening.chapters.map((c) => c.rows.map((r) => `${r.seat}@${r.place}: ${r.said.map((s) => s.key).join(' ')}`));

const murder = list(
  h('begun'),
  h('received', { seat: 1 }),
  h('dealt'),
  h('taken', { seat: 1, place: 'hall' }),
  h('round', { seat: 1 }),
  h('moved', { seat: 1, place: 'salon' }),
  h('taken', { seat: 1, place: 'salon' }),
  h('moved', { seat: 2, place: 'salon' }),
  h('passed', { seat: 1, other: 2 }),
  h('passed', { seat: 2, other: 1 }),
  h('moved', { seat: 3, place: 'cave' }),
  h('fell', { seat: 1 }),
  h('opened', { seat: 1, cards: ['rope', 'clue-a'] }),
  h('crime', { place: 'salon', cards: ['rope'] }),
  h('died', { seat: 1, place: 'salon', cards: ['role-innocent'] }),
  h('died', { seat: 2, place: 'salon' }),
  h('turned', { seat: 2, cards: ['role-innocent'] }),
  h('recovered', { seat: 3, cards: ['clue-a'] }),
  h('round', { seat: 3 }),
  h('moved', { seat: 3, place: 'salon' }),
  h('accused', { seat: 3, other: 4, cards: ['clue-a'] }),
  h('over'),
);

it('tells a game of rounds: who was where, what was done there, who died', () => {
  const e = buildEvening(murder);
  expect(e.laps).toBe(false);
  expect(e.chapters.map((c) => c.n)).toEqual([1, 2]);
  expect(keys(e)).toEqual([
    ['1@salon: taken', '2@salon: passed passed', '3@cave: ', '0@: opened.cards crime.many', '3@: recovered'],
    ['3@salon: accused.seat'],
  ]);
  expect([...e.chapters[0]!.at]).toEqual([[3, 'cave']]);
  expect([...e.chapters[1]!.at]).toEqual([[3, 'salon']]);
  expect(e.chapters[0]!.crimes).toEqual([{ place: 'salon', dead: [1, 2] }]);
  expect([...e.dead]).toEqual([1, 2]);
  expect(e.paths.get(3)).toEqual(['cave', 'salon']);
  expect(e.moments.map((m) => `${m.n} ${m.row.seat} ${m.said.map((s) => s.key).join(' ')}`)).toEqual(['1 0 crime.many',
    '2 3 accused.seat']);
  expect(e.cut).toBe(false);
});

it('tells a murder in one sentence: the place, the weapon, each victim with its card', async () => {
  const { composeStory } = await import('./storytext');
  const words: Readonly<Record<string, string>> = fr;
  const fill = (s: string, args: Readonly<Record<string, string>> = {}): string => s.replace(/\{(\w+)\}/g, (b, k: string) => args[k] ?? b);
  const told = composeStory({ v: 1, game: 'huis-clos', happened: murder, held: [], evening: { played: 0, hints: 0 } }, {
    game: 'huis-clos',
    seats: [],
  }, { label: (id: string) => id } as never, (key, args) => fill(words[key] ?? key, args));
  expect(told.whole.rows[0]!.text).toBe('Lieu du crime : salon. L’arme : rope. Victimes : seat-1 (role-innocent), seat-2 (role-innocent).');
  expect([...told.whole.at]).toEqual([['salon', [3]]]); // each seat once, where it is at the end
  expect([...told.whole.dead]).toEqual([['salon', [1, 2]]]);
});

it('tells what the host has done against the rules, and who lives again by it (GEN-009)', () => {
  const e = buildEvening(list(
    h('round', { seat: 1 }),
    h('moved', { seat: 1, place: 'salon' }),
    h('overruled', { seat: 1 }),
    h('died', { seat: 1, place: 'salon' }),
    h('died', { seat: 2, place: 'cave' }),
    h('revived', { seat: 1, place: 'cave' }),
    h('overruled'),
  ));
  expect(keys(e)).toEqual([['1@salon: ', '0@: overruled died died revived overruled']]);
  expect([...e.dead]).toEqual([2]);
  expect([...e.chapters[0]!.at]).toEqual([[1, 'cave']]);
});

it('counts whom the host has killed at no midnight as dead, until that one lives again (GEN-009)', () => {
  const killed = [h('turn', { seat: 2 }), h('moved', { seat: 2, place: 'kitchen' }), h('killed', { seat: 2 }),
    h('exposed', { seat: 2, cards: ['plum'] })];
  const e = buildEvening(list(...killed));
  expect(keys(e)).toEqual([['2@kitchen: ', '0@: killed exposed']]);
  expect([...e.dead]).toEqual([2]);
  expect(e.chapters[0]!.crimes).toEqual([{ place: 'kitchen', dead: [2] }]);
  expect([...buildEvening(list(...killed, h('revived', { seat: 2 }))).dead]).toEqual([]);
});

it('tells a game of turns: who asked what, and who answered; a chapter is once around the table', () => {
  const e = buildEvening(list(
    h('begun'),
    h('dealt'),
    h('turn', { seat: 1 }),
    h('moved', { seat: 1, place: 'kitchen' }),
    h('asked', { seat: 1, cards: ['plum', 'rope', 'kitchen'] }),
    h('moved', { seat: 3, place: 'kitchen' }),
    h('none', { seat: 2 }),
    h('none', { seat: 3 }),
    h('unrefuted'),
    h('turn', { seat: 2 }),
    h('moved', { seat: 2 }),
    h('struck', { seat: 2 }),
    h('drew', { seat: 2 }),
    h('turn', { seat: 3 }),
    h('midnight', { seat: 3 }),
    h('murdered', { seat: 3, cards: ['plum'] }),
    h('turn', { seat: 1 }),
    h('accused', { seat: 1, cards: ['plum', 'rope', 'hall'] }),
    h('wrong', { seat: 1 }),
  ));
  expect(e.laps).toBe(true);
  expect(keys(e)).toEqual([
    ['1@kitchen: asked none unrefuted', '0@: struck', '2@: drew', '3@kitchen: ', '0@: midnight murdered.cards'],
    ['1@kitchen: accused wrong'],
  ]);
  expect(e.chapters[0]!.rows[0]!.said[1]!.args['seats']).toBe('seat-2,seat-3');
  expect(e.chapters[0]!.rows[0]!.said[0]!.args).toMatchObject({ suspect: 'plum', weapon: 'rope', room: 'kitchen' });
  expect(e.chapters[1]!.crimes).toEqual([{ place: 'kitchen', dead: [3] }]);
  expect(e.paths.get(3)).toEqual(['kitchen']); // moved there only as the suspect of a hypothesis
});

it('says that the beginning is missing', () => expect(buildEvening([{ what: 'turn', n: 7, seat: 1 }]).cut).toBe(true));

it('has one chapter where a game has neither rounds nor turns', () => {
  expect(buildEvening(list(h('begun'), h('fell', { seat: 1 }), h('over'))).chapters.map((c) => [c.n, c.rows])).toEqual([[1, []]]);
});

it('is nothing of nothing', () => expect(buildEvening([]).moments).toEqual([]));

it('knows every code, and has its sentences', () => {
  const codes = Object.entries(engine).filter(([name]) => name.startsWith('Hap')).map(([, code]) => String(code));
  expect(codes.sort()).toEqual(HAPPENINGS.map((k) => k.what).sort());
  const said = new Set<string>();
  for (const dead of [1, 2]) {
    for (const cards of [undefined, ['a']]) {
      const fell = [1, 2].slice(0, dead).map((seat) => h('died', { seat, place: 'hall', ...cards && { cards } }));
      buildEvening(list(h('round'), h('crime', { place: 'hall', cards: ['rope'] }), ...fell)).moments.forEach((m) =>
        m.said.forEach((s) => [s, ...s.dead ?? []].forEach(({ key }) => said.add(`say.${key}`)))
      );
    }
  }
  for (const what of codes.filter((c) => !SILENT.has(c))) {
    for (const other of [undefined, 2]) {
      for (const cards of [undefined, ['a', 'b', 'c']]) {
        const more: Partial<Happening> = {
          seat: 1,
          place: 'hall',
          ...(other === undefined ? {} : { other }),
          ...(cards === undefined ? {} : { cards }),
        };
        buildEvening(list(h('round'), h(what, more))).chapters.forEach((c) =>
          c.rows.forEach((r) => r.said.forEach((s) => said.add(`say.${s.key}`)))
        );
      }
    }
  }
  expect([...said].filter((key) => !Object.hasOwn(fr, key))).toEqual([]);
  expect(Object.keys(fr).filter((key) => key.startsWith('say.') && !said.has(key))).toEqual([]);
});
