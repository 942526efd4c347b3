import { describe, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate, which } from '../dev/hosts';
import type { Name, Update } from '../lib/wire';
import { deckRows, groupCards } from './cards';
import { countJobs, countRows, countInGame, countMissing } from './count';
import { custodyRows, holderName, countGrades } from './custody';
import { isUnnamed, offerHint, offerName } from './labels';
import { houseRules } from '../lib/houserules';
import { firstTask, listMissing, nextMissing, currentStep, setUpSteps, readGuests, mergeGuests, returningGuests } from './setup';
import { panelsOf } from './model';
import { language } from '../lib/language.svelte';

const name = (id: string): Name | undefined => names.find((n) => n.id === id && n.kind !== 'value');

describe('the path', () => {
  it('leads to what is missing first (HC-001, HC-020)', () => {
    expect(nextMissing(setUpSteps(hostUpdate('empty')))).toBe('seats');
    expect(listMissing(hostUpdate('empty'))).toEqual([{ key: 'host.missing.players', args: { n: 4 } }, {
      key: 'host.missing.first',
      args: {},
    }]);
    expect(listMissing(hostUpdate('three')).map((m) => m.key)).toEqual(['host.missing.player', 'host.missing.first']);
  });
  it('is free once the game can begin; phones and the box are no condition', () => {
    const u = hostUpdate('lobby');
    expect(nextMissing(setUpSteps(u))).toBeUndefined();
    expect(listMissing(u)).toEqual([]);
    expect(setUpSteps(u).find((s) => s.id === 'phones')).toEqual({ id: 'phones', done: false, optional: true });
    expect(setUpSteps(hostUpdate('joined')).find((s) => s.id === 'phones')?.done).toBe(true);
  });
  it('needs three players in a Cluedo, and nobody’s age (C8-001, C8-011)', () => {
    const u = hostUpdate('empty');
    Object.assign(u.view, { game: 'cluedo-2008', case: {} });
    expect(setUpSteps(u).map((s) => s.id)).not.toContain('first');
    expect(listMissing(u)).toEqual([{ key: 'host.missing.players', args: { n: 3 } }]);
    u.view.switches = { mode: 'two-player' };
    expect(listMissing(u)).toEqual([{ key: 'host.missing.players', args: { n: 2 } }]);
    u.view.switches = {};
    u.view.prompt = { k: 'cl.prompt.lobby.two.host' };
    expect(listMissing(u)).toEqual([{ key: 'host.missing.two', args: {} }]);
  });
  it('begins with the question which game, of a table where nobody is, until it was answered here', () => {
    const u = hostUpdate('which');
    expect(nextMissing(setUpSteps(u))).toBe('game');
    expect(listMissing(u).map((m) => m.key)).toEqual(['host.missing.game']);
    expect(nextMissing(setUpSteps(u, false, 'cluedo-2008'))).toBe('game'); // another table, or another game since
    expect(nextMissing(setUpSteps(u, false, 'huis-clos'))).toBe('seats');
    expect(nextMissing(setUpSteps(which(hostUpdate('three'))))).toBe('seats'); // players have come
    expect(setUpSteps(hostUpdate('empty')).some((s) => s.id === 'game')).toBe(false); // there is only one game
  });
  it('waits for the check of the box to end', () => expect(listMissing(hostUpdate('box')).map((m) => m.key)).toEqual(['host.missing.box']));
  it('goes on through roles, clues and the first pick, and then ends', () => {
    expect(['roles', 'laying', 'pick', 'act'].map((n) => currentStep(hostUpdate(n)))).toEqual(['roles', 'clues', 'pick', undefined]);
    expect(setUpSteps(hostUpdate('laying')).filter((s) => !s.done).map((s) => s.id)).toEqual(['clues', 'pick']);
    expect(setUpSteps(hostUpdate('act'))).toEqual([]);
  });
});

describe('a new table', () => {
  const bare = (readers: Record<string, string> = {}): Update => {
    const u = hostUpdate('empty');
    u.table.readers = readers;
    return u;
  };
  it('begins with what is attached, then with its cards, each until it was gone by', () => {
    expect(firstTask(bare(), undefined, true, [''])).toBe('devices');
    expect(firstTask(bare(), undefined, false, [''])).toBeUndefined(); // this device may not
    expect(firstTask(bare(), undefined, true, ['devices'])).toBeUndefined();
    expect(firstTask(bare(), { blank: false }, true, [])).toBeUndefined(); // with a reader apart from the game
    expect(firstTask(hostUpdate('empty'), { blank: false }, true, [])).toBeUndefined(); // its cards have their tags
    expect(firstTask(bare({ urn: 'ok' }), undefined, true, [])).toBeUndefined(); // before the office's first answer
    expect(firstTask(bare({ urn: 'ok' }), { blank: true }, true, ['devices'])).toBe('deck');
    expect(firstTask(bare({ urn: 'ok' }), { blank: true }, true, ['devices', 'deck'])).toBeUndefined();
  });
  it('goes on with the players as soon as somebody has come', () => {
    const u = bare();
    u.desk = { ...u.desk!, guests: [{ seat: 1, name: '', character: '' }] };
    expect(firstTask(u, undefined, true, [])).toBeUndefined();
    expect(firstTask(hostUpdate('three'), { blank: true }, true, [])).toBeUndefined();
  });
});

describe('the guests of the last evening', () => {
  const old = [{ seat: 2, name: 'Zoé', character: 'character-worms' }, { seat: 5, name: 'Éric', character: 'character-georges' }];
  it('are kept by seat, the newest name of each', () =>
    expect(mergeGuests(old, hostUpdate('three')).map((g) => [g.seat, g.name])).toEqual([[1, 'Anne'], [2, 'Bruno'], [3, 'Chloé'], [5,
      'Éric']]));
  it('sit down again where seat and character are free', () => {
    expect(returningGuests(old, ['seat-2', 'seat-5'], ['character-worms'])).toEqual([old[0]]);
    expect(returningGuests([old[0]!, { ...old[1]!, character: 'character-worms' }], ['seat-2', 'seat-5'], ['character-worms']))
      .toHaveLength(1);
  });
  it('are read from whatever the browser kept', () => {
    expect(readGuests(JSON.stringify(old))).toEqual(old);
    for (const bad of [undefined, '', '{', '7', 'null', '[null, 3, {"seat":"1"}]']) expect(readGuests(bad)).toEqual([]);
  });
});

describe('house rules', () => {
  const deck = {
    name: (id: string) => names.find((n) => n.kind === 'switch' && n.id === id),
    values: (rule: string): Name[] => names.filter((n) => n.kind === 'value' && n.of === rule),
  };
  it('show every value in deck order, the default marked, and offer the others', () => {
    const u = hostUpdate('rules');
    const r = houseRules(u.view.switches, panelsOf(u.view.offers, []).switches, deck).find((x) => x.id === 'rounds-exhausted')!;
    expect(r).toMatchObject({ value: 'nobody', changed: true });
    expect(r.values.map((v) => [v.id, v.isDefault, v.args?.['value']])).toEqual([['survivors', true, 'survivors'], ['murderer', false,
      'murderer'], [
      'nobody',
      false,
      undefined,
    ]]);
  });
  it('are shown during the game, when nothing can be changed', () => {
    const rules = houseRules(hostUpdate('act').view.switches, [], deck);
    expect(rules).toHaveLength(7);
    expect(rules.find((r) => r.id === 'exchange-order')?.rule).toBe('HC-083');
    expect(rules.every((r) => !r.changed && r.values.every((v) => v.args === undefined))).toBe(true);
  });
});

describe('cards', () => {
  it('stand in groups in the order of the deck (GEN-006)', () => {
    const all = names.filter((n) => n.kind === 'weapon' || n.kind === 'clue').map((n) => n.id);
    const g = groupCards(all, name);
    expect(g.map((x) => x.of)).toEqual([
      'weapon',
      'character-lecomte',
      'character-williams',
      'character-borrow',
      'character-georges',
      'character-eddington',
      'character-worms',
      'character-puddingham',
      'character-peely',
    ]);
    expect(g.flatMap((x) => x.cards)).toEqual(all);
  });
  it('of an unknown deck are one group', () => expect(groupCards(['a', 'b'], () => undefined)).toEqual([{ of: '', cards: ['a', 'b'] }]));
  it('to rename: each place with its weapon, each character with its clues, nothing lost', () => {
    const ids = ['place', 'weapon', 'character', 'clue'].flatMap((kind) => names.filter((n) => n.kind === kind).map((n) => n.id));
    const rows = deckRows([...ids, 'role-murderer'], name);
    expect(rows.places).toHaveLength(7);
    expect(rows.places[0]).toEqual({ place: 'place-suite-bleue', weapon: 'weapon-corde' });
    expect(rows.characters.map((c) => c.clues.length)).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
    expect(rows.rest).toEqual(['role-murderer']);
    expect(rows.places.length * 2 + rows.characters.length * 5 + rows.rest.length).toBe(ids.length + 1);
  });
});

describe('the count of the cards (GEN-E09)', () => {
  const u = hostUpdate('count');
  const rows = countRows(u);
  it('begins with what the record says', () => {
    expect(rows).toHaveLength(4 + 7 + 1);
    expect(rows[0]).toEqual({ of: 'seat-1', record: 2, most: 3 });
    expect(rows.at(-1)).toEqual({ of: 'urn', record: 1, most: 4 });
  });
  it('tells only what differs, then that all is counted', () =>
    expect(countJobs(rows, new Map([['seat-1', 3], ['urn', 1]])).map((j) => [j.act, j.args])).toEqual([['count-is', {
      of: 'seat-1',
      n: '3',
    }], [
      'counted',
      {},
    ]]));
  it('says how many would be lost, or are too many', () => {
    const sum = rows.reduce((n, r) => n + r.record, 0);
    expect(countMissing(rows, new Map(), sum)).toBe(0);
    expect(countMissing(rows, new Map([['seat-1', 0]]), sum)).toBe(2);
    expect(countMissing(rows, new Map([['seat-1', 5]]), sum)).toBe(-3);
  });
});

describe('what is to be counted (GEN-E09)', () => {
  const box = (kind: string): number => ({ clue: 32, weapon: 7, suspect: 6, room: 9 })[kind] ?? 0;
  it('is, of Huis Clos, what neither lies open nor is out of the game', () => {
    const u = hostUpdate('count');
    u.view.gone = ['weapon-1'];
    u.view.shown = ['weapon-2'];
    expect(countInGame(u, box)).toBe(37);
  });
  it('is, of a Cluedo, what is neither in the envelope nor in a murdered hand', () => {
    const u = hostUpdate('c-start');
    for (const s of u.view.seats) s.cards = 5;
    expect(countInGame(u, (kind) => (kind === 'weapon' ? 9 : box(kind)))).toBe(21 - 5 * u.view.seats.filter((s) => !s.alive).length);
    u.view.seats[0]!.alive = false;
    expect(countInGame(u, (kind) => (kind === 'weapon' ? 9 : box(kind)))).toBe(21 - 5 * u.view.seats.filter((s) => !s.alive).length);
  });
});

describe('custody (GEN-022)', () => {
  it('grades each holder beside its public number of cards', () => {
    const rows = custodyRows(hostUpdate('act'));
    expect(rows[1]).toEqual({ of: 'seat-2', n: 3, cards: 'trusted', role: 'trusted' });
    expect(rows.find((r) => r.of === 'place-salon')).toEqual({ of: 'place-salon', n: 4, cards: 'trusted' });
    expect(countGrades(rows)).toEqual({ verified: 7, partly: 1, trusted: 3 });
  });
  it('names the envelope and its three cards (C8-002)', () => {
    language.lang = 'en';
    const u = hostUpdate('c-start');
    u.view.custody = [{ of: 'envelope', cards: 'partly' }];
    expect(custodyRows(u)).toEqual([{ of: 'envelope', n: 3, cards: 'partly' }]);
    expect(holderName(language, 'envelope')).toBe(language.t('host.secrets.envelope'));
  });
  it('promises nothing by a grade that it does not know', () => {
    const u = hostUpdate('act');
    u.view.custody = [{ of: 'seat-1', cards: 'psychic', role: '' }];
    expect(custodyRows(u)).toEqual([{ of: 'seat-1', n: 2, cards: 'trusted' }]);
  });
});

describe('what the host does for others', () => {
  it('leaves cards without a name, and says so', () => {
    language.lang = 'en';
    const keep = hostUpdate('pick').view.offers.find((o) => o.act === 'keep')!;
    expect(isUnnamed(keep)).toBe(true);
    expect(offerName(language, keep)).toBe('Has kept a clue');
    expect(offerName(language, { act: 'swap', rule: '', fixed: { card: 'unnamed' } })).toBe('Swap (without naming the card)');
  });
  it('is told apart by what is fixed', () => {
    expect(offerName(language, { act: 'role', rule: '', fixed: { value: 'unknown' } })).toBe('Has looked at the card, saying nothing');
    language.learnSeats(hostUpdate('act').view.seats);
    expect(offerName(language, { act: 'accuse', rule: '', fixed: { confirm: 'known-innocent', seat: 'seat-1' } })).toBe(
      'Accuse in spite of the Innocent card · Anne',
    );
    expect(offerName(language, { act: 'accuse', rule: '', fixed: { seat: 'seat-3' } })).toBe('Accuse · Chloé');
    expect(offerHint(language, { act: 'laid', rule: '' })).toContain('9 on the first place');
    expect(offerHint(language, { act: 'ring-the-bell', rule: '' })).toBe('');
  });
});
