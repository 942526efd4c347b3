import { benchOf } from '../bench';
import { describe, expect, it } from 'vitest';
import { update } from '../../dev/fixtures';
import type { Bench, BenchCard } from '../../gen/wire';
import type { Update } from '../../lib/wire';
import { part } from './bench';
import { dropTargets } from '../../bench/drop';
import { findDifferences, nextGuide } from '../../bench/guide';

const CASE: NonNullable<Update['view']['case']> = {
  step: 'start',
  dice: [],
  points: 0,
  reach: [],
  pawns: [],
  tokens: [],
  pile: 22,
  pool: 0,
};

function cluedo(over: Parameters<typeof update>[0] = {}): Update {
  const u = update({ phase: 'turn', active: [2], ...over });
  u.view.case = CASE;
  return u;
}

/** A table that agrees with the record. */
function table(u: Update): Bench {
  const cards: BenchCard[] = [];
  const lay = (spot: string, n: number, kind: string) => {
    for (let i = 0; i < n; i++) cards.push({ tag: `04${cards.length}`, kind, name: { fr: '', en: '' }, spot, up: false });
  };
  lay('envelope', 3, 'room');
  lay('pile', 22, 'time-card');
  for (const p of u.view.places) lay(p.place, p.cards, 'suspect');
  for (const s of u.view.seats) {
    lay(`hand:seat-${s.seat}`, s.cards, 'weapon');
    lay(`hand:seat-${s.seat}`, s.tokens, 'butler-card');
  }
  return { cards, pawns: [], strips: [], players: [], busy: false, readers: [] };
}

describe('a Cluedo on the simulated table', () => {
  const show = (kind: string, seat: number) => [{ reader: 'show', kind, seat }];
  it('counts mystery and Intrigue cards apart', () => {
    const u = cluedo();
    const b = table(u);
    expect(findDifferences(u, b)).toEqual([]);
    b.cards.find((c) => c.spot === 'pile')!.spot = 'hand:seat-1';
    expect(findDifferences(u, b).map((d) => d.spot)).toEqual(['hand:seat-1', 'pile']);
    expect(findDifferences(cluedo({ phase: 'dealing' }), b)).toEqual([]);
  });
  it('seals, deals, draws and answers over the readers', () => {
    const line = (over: Parameters<typeof update>[0]) => {
      const u = cluedo(over);
      return nextGuide(u, table(u));
    };
    expect(line({ phase: 'dealing', readers: show('mystery-card', 0) })).toMatchObject({
      key: 'bench.case.seal',
      from: ['box'],
      to: ['show'],
      deal: true,
    });
    expect(line({ phase: 'dealing', readers: show('mystery-card', 2) })).toMatchObject({
      key: 'bench.case.deal',
      args: { seat: 'seat-2' },
      deal: true,
    });
    expect(line({ readers: [{ reader: 'urn', kind: 'event-card', seat: 2 }, ...show('event-card', 2)] })).toMatchObject({
      key: 'bench.case.draw',
      from: ['pile'],
      to: ['slot'],
    });
    expect(line({})).toMatchObject({ key: 'ui.bench.guide.phone', phone: 2 });
    expect(line({ phase: 'dealing', readers: [], active: [] })).toMatchObject({ key: 'bench.case.dealt', host: true });
  });
  it('says what a card at the reader is for: an answer, a card of one’s choice, a look', () => {
    const line = (step: string, prompt = '') => {
      const u = cluedo({ active: [3], readers: show('mystery-card', 3) });
      u.view.case = { ...CASE, step };
      u.view.prompt = { k: prompt };
      return nextGuide(u, table(u));
    };
    expect(line('answer')).toMatchObject({ key: 'bench.case.answer', from: ['hand:seat-3'], to: ['show'], phone: 3 });
    expect(line('reveal', 'cl.prompt.holder')).toMatchObject({ key: 'bench.case.answer' });
    for (const step of ['reveal', 'neighbour']) {
      expect(line(step)).toMatchObject({ key: 'bench.case.show', from: ['hand:seat-3'], to: ['show'], phone: 3 });
    }
    const at = cluedo().view.places.find((p) => p.pawns.includes(3))!.place;
    expect(line('look')).toMatchObject({ key: 'bench.case.look', from: [at], to: ['show'], phone: 3 });
    for (const step of ['start', 'move']) expect(line(step)).toMatchObject({ key: 'ui.bench.guide.phone', phone: 3 }); // it may wait
  });
  it('takes a clue card for no mistake while it is in the hand of who reads it aloud (CC-032)', () => {
    const u = cluedo();
    const b = table(u);
    u.view.case = { ...CASE, pile: 21 };
    Object.assign(b.cards.find((c) => c.spot === 'pile')!, { kind: 'clue-card', spot: 'hand:seat-2' });
    expect(findDifferences(u, b)).toEqual([]);
  });
  it('hides cards in rooms: the host chooses them first, then a card is laid into each (CC-130)', () => {
    const line = (step: string, readers: Update['view']['readers']) => {
      const u = cluedo({ phase: 'dealing', active: [], readers });
      u.view.case = { ...CASE, step };
      return nextGuide(u, table(u));
    };
    expect(line('hide', [])).toEqual({ key: 'bench.case.hide', from: [], to: [], host: true });
    expect(line('lay', show('mystery-card', 0))).toMatchObject({ key: 'bench.case.lay', from: ['box'], to: ['show'], deal: true });
  });
  it('needs players, a rule for two of them, and nobody to be the first', () => {
    const u = cluedo({ phase: 'lobby' });
    u.view.seats = u.view.seats.slice(0, 3).map((s) => ({ ...s, first: false }));
    expect(nextGuide(u, table(u)).key).toBe('ui.bench.guide.begin');
    u.view.prompt = { k: 'cl.prompt.lobby.two' };
    expect(nextGuide(u, table(u)).key).toBe('bench.case.two');
    u.view.prompt = { k: 'cl.prompt.lobby' };
    u.view.seats = u.view.seats.slice(0, 1);
    expect(nextGuide(u, table(u)).key).toBe('bench.case.lobby');
  });
  it('has an envelope and a pile in place of the urn', () => {
    const bench = table(cluedo());
    expect(dropTargets(cluedo(), part.spots(bench))).toEqual(expect.arrayContaining(['envelope', 'pile', 'slot']));
    expect(dropTargets(cluedo(), part.spots(bench))).not.toContain('urn');
    expect(dropTargets(update(), benchOf(update().view).spots(bench))).not.toContain('envelope');
    expect(part.open(bench)).toMatchObject({ spot: 'pile' });
  });
  it('needs no card where the machine has dealt', () => {
    const u = cluedo({ readers: [{ reader: 'show', kind: 'mystery-card', seat: 2 }] });
    u.view.case = { ...CASE, virtual: true };
    expect(findDifferences(u, { ...table(u), cards: [] })).toEqual([]);
    expect(nextGuide(u, table(u))).toMatchObject({ key: 'ui.bench.guide.phone', phone: 2 });
  });
  it('has no pile where the box holds nothing for one', () => {
    const bench = table(cluedo());
    bench.cards = bench.cards.filter((c) => !['time-card', 'butler-card'].includes(c.kind));
    expect(part.open(bench)).toBeUndefined();
    expect(dropTargets(cluedo(), part.spots(bench))).not.toContain('pile');
  });
});
