import { describe, expect, it } from 'vitest';
import { samples, update } from '../dev/fixtures';
import type { Bench, BenchCard } from '../gen/wire';
import type { SeatView, Update } from '../lib/wire';
import { findDifferences, nextGuide, hasUnplugged } from './guide';
import { type ShownNotice, nextNotice } from './notice';

/** A table that agrees with the record, plus the role cards and a foreign tag. */
function table(u: Update): Bench {
  const cards: BenchCard[] = [];
  const lay = (spot: string, n: number, kind = 'clue') => {
    for (let i = 0; i < n; i++) cards.push({ tag: `04${cards.length}`, kind, name: { fr: '', en: '' }, spot, up: false });
  };
  for (const p of u.view.places) lay(p.place, p.cards);
  for (const s of u.view.seats) {
    lay(`hand:seat-${s.seat}`, s.cards);
    lay(`hand:seat-${s.seat}`, 1, 'role-card'); // no part of a hand (rules, part 2)
  }
  lay('urn', u.view.urn);
  lay('box', 1, 'foreign');
  return {
    cards,
    pawns: [],
    strips: [],
    players: [],
    busy: false,
    readers: [{ role: 'urn', plugged: true }, { role: 'show', plugged: true }],
  };
}

const seats = (n: number): SeatView[] => samples['lobby']!().view.seats.slice(0, n);
const first = (b: Bench, spot: string): BenchCard => b.cards.find((c) => c.spot === spot && c.kind === 'clue')!;

it('says that a reader is slow, whoever laid the card there', () => {
  const u = update();
  expect(nextGuide(u, { ...table(u), slow: true }).key).toBe('bench.guide.slow');
  expect(nextGuide(u, { ...table(u), slow: true, busy: true }).key).toBe('bench.guide.slow');
});

it('leaves what guests do to them, and tells a person among them of the own turn', () => {
  const u = samples['deposit']!();
  const b = (on: boolean, mine: number[]): Bench => ({ ...table(u), play: { on, speed: 1, game: u.view.game, seed: 1, mine } });
  expect(nextGuide(u, b(false, [])).key).toBe('ui.bench.guide.deposit');
  expect(nextGuide(u, b(true, [])).key).toBe('ui.bench.guide.plays');
  expect(nextGuide(u, b(true, [1])).key).toBe('ui.bench.guide.wait');
  expect(nextGuide(u, b(true, [3]))).toMatchObject({ key: 'ui.bench.guide.deposit', phone: 3 });
});

describe('counts', () => {
  it('agree when the table lies as recorded; role cards do not count', () => {
    const u = update();
    expect(findDifferences(u, table(u))).toEqual([]);
  });
  it('differ when a card was moved by hand only', () => {
    const u = update();
    const b = table(u);
    first(b, 'place-salon').spot = 'hand:seat-1';
    expect(findDifferences(u, b)).toEqual([
      { spot: 'place-salon', record: 4, table: 3 },
      { spot: 'hand:seat-1', record: 2, table: 3 },
    ]);
  });
  it('say nothing while the table has not heard of the update, or is ahead of it', () => {
    const u = update();
    const b = table(u);
    first(b, 'place-salon').spot = 'hand:seat-1';
    for (const [rev, n] of [[u.rev - 1, 0], [u.rev, 2], [u.rev + 1, 0]] as const) {
      expect(findDifferences(u, { ...b, epoch: u.epoch, rev })).toHaveLength(n);
    }
    expect(findDifferences(u, { ...b, epoch: u.epoch + 1, rev: u.rev })).toEqual([]);
  });
  it('say nothing while a card is on a reader, while dealing, before the clues lie, and at the end', () => {
    const u = update();
    const b = table(u);
    first(b, 'place-salon').spot = 'show';
    expect(findDifferences(u, b)).toEqual([]);
    first(b, 'place-3').spot = 'gone';
    b.cards.forEach((c) => c.spot === 'show' && (c.spot = 'gone'));
    expect(findDifferences(u, b)).not.toEqual([]);
    expect(findDifferences(u, { ...b, busy: true })).toEqual([]);
    for (const phase of ['lobby', 'roles', 'laying']) expect(findDifferences(update({ phase }), b)).toEqual([]);
    expect(findDifferences(samples['over']!(), b)).toEqual([]);
  });
});

describe('the guiding line', () => {
  const line = (over: Parameters<typeof update>[0], change: (b: Bench, u: Update) => void = () => {}) => {
    const u = update(over);
    const b = table(u);
    change(b, u);
    return nextGuide(u, b);
  };
  const show = (kind: string, seat = 1) => [{ reader: 'show', kind, seat }];

  it('sends the newcomer to the host first, to seat four and name the first (HC-001, HC-020)', () => {
    const lobby = (seats: SeatView[]) => line({ phase: 'lobby', seats });
    expect(lobby(seats(3))).toMatchObject({ key: 'ui.bench.guide.lobby', host: true });
    expect(lobby(seats(4).map((s) => ({ ...s, first: false })))).toMatchObject({ key: 'ui.bench.guide.lobby', host: true });
    expect(lobby(seats(4))).toMatchObject({ key: 'ui.bench.guide.begin', host: true });
  });
  it('offers to deal the role cards', () =>
    expect(line({ phase: 'roles', readers: show('role-card') })).toMatchObject({
      key: 'ui.bench.guide.roles',
      from: ['box'],
      to: ['show'],
      deal: true,
    }));
  it('offers to lay the clues', () =>
    expect(line({ phase: 'laying', active: [], readers: show('clue', 0) })).toMatchObject({ key: 'ui.bench.guide.laying', deal: true }));
  it('asks for the first pick from where the pawn stands (HC-022)', () =>
    expect(line({ phase: 'pick', readers: show('clue', 2) })).toMatchObject({
      key: 'ui.bench.guide.pick',
      from: ['place-4'],
      to: ['show'],
    }));
  it('asks for a decision on the phone when no reader waits', () =>
    expect(line({ active: [3] })).toMatchObject({ key: 'ui.bench.guide.phone', args: { seat: 'seat-3' }, phone: 3 }));
  it('asks for the taking during a search (HC-060)', () =>
    expect(line({ readers: show('clue') })).toMatchObject({ key: 'ui.bench.guide.take', from: ['place-salon'], to: ['show'], phone: 1 }));
  it('asks for the deposit from the hand of that seat to the slot (HC-120)', () =>
    expect(line({ phase: 'deposit', readers: [{ reader: 'urn', kind: 'clue', seat: 3 }] })).toEqual({
      key: 'ui.bench.guide.deposit',
      args: { seat: 'seat-3' },
      from: ['hand:seat-3'],
      to: ['slot'],
      phone: 3,
    }));
  it('asks to recover from the open cards (HC-129)', () =>
    expect(line({ phase: 'recovery', readers: [{ reader: 'urn', kind: 'clue', seat: 2 }, ...show('clue', 2)] })).toMatchObject({
      key: 'ui.bench.guide.recover',
      from: ['open'],
      to: ['show'],
    }));
  it('points to the phone when the reader is lost: a declared substitute', () =>
    expect(
      line({ phase: 'deposit', active: [3], readers: [{ reader: 'urn', kind: 'clue', seat: 3 }] },
        (_, u) => (u.table.readers = { urn: 'lost', show: 'ok' }))
        .phone,
    ).toBe(3));
  it('says to put a taken card where the record has it', () =>
    expect(line({}, (b) => (first(b, 'hand:seat-2').spot = 'place-5'))).toMatchObject({
      key: 'ui.bench.guide.move',
      spots: { from: 'place-5', to: 'hand:seat-2' },
      from: ['place-5'],
      to: ['hand:seat-2'],
    }));
  it('names a lone difference with both numbers', () =>
    expect(line({}, (b) => (first(b, 'place-5').spot = 'box'))).toMatchObject({
      key: 'ui.bench.guide.differs',
      spots: { spot: 'place-5' },
      args: { record: '4', table: '3' },
    }));
  it('waits while a card is on a reader, and warns of two', () => {
    const one = (b: Bench) => (first(b, 'hand:seat-1').spot = 'slot');
    expect(line({}, one).key).toBe('ui.bench.guide.reading');
    expect(
      line({}, (b) => {
        one(b);
        one(b);
      }).key,
    ).toBe('ui.bench.guide.several');
  });
  it('goes on with a reader unplugged, and reminds of it beside (GEN-024)', () => {
    const b = table(update());
    expect(hasUnplugged(b)).toBe(false);
    b.readers[0]!.plugged = false;
    expect(hasUnplugged(b)).toBe(true);
    expect(nextGuide(update(), b).key).toBe('ui.bench.guide.phone');
  });
  it('sends who has no phone to the host as well (GEN-024)', () =>
    expect(line({ active: [3] }, (_, u) => (u.table.online = [1]))).toMatchObject({
      key: 'bench.guide.host',
      args: { seat: 'seat-3' },
      phone: 3,
      host: true,
    }));
  it('sends to the host when the clues are laid and no reader answers', () =>
    expect(line({ phase: 'laying', active: [], readers: show('clue', 0) }, (_, u) => (u.table.readers = { show: 'lost' }))).toMatchObject({
      key: 'bench.guide.laid',
      host: true,
    }));
  it('asks for the role card of who is to turn it up', () =>
    expect(line({ phase: 'recovery', readers: show('role-card', 2) })).toMatchObject({
      key: 'bench.guide.role',
      from: ['hand:seat-2'],
      to: ['show'],
      phone: 2,
      host: true,
    }));
  it('asks to name what lay in the urn (4.2)', () =>
    expect(line({ phase: 'reveal', readers: show('clue', 1) })).toMatchObject({
      key: 'bench.guide.show',
      from: ['open'],
      to: ['show'],
      host: true,
    }));
  it('waits for the count, and for those who have not agreed to a correction', () => {
    expect(line({ mood: 'count' })).toMatchObject({ key: 'bench.guide.count', host: true });
    expect(line({}, (_, u) => (u.vote = { by: 3, agreed: [3, 1], of: [1, 2, 3, 4] }))).toMatchObject({ key: 'bench.guide.vote', phone: 2 });
  });
  it('offers to tidy, at once where many heaps differ', () => {
    expect(line({}, (b) => (first(b, 'hand:seat-2').spot = 'place-5')).tidy).toBe(true);
    expect(line({}, (b) => b.cards.forEach((c) => (c.spot = 'box')))).toMatchObject({ key: 'bench.guide.many', tidy: true });
  });
  it('leaves the play while the table is paused, dealing or over', () => {
    expect(line({}, (_, u) => (u.paused = { k: 'table.store.full' })).key).toBe('ui.bench.guide.paused');
    expect(line({}, (b) => (b.busy = true)).key).toBe('ui.bench.guide.dealing');
    expect(line({ result: { rule: 'HC-151', winners: [1], msg: { k: 'gen.again' } } }).key).toBe('ui.bench.guide.over');
  });
});

describe('what the table was told', () => {
  const again = { n: 4, msg: { k: 'gen.again', a: { seat: 'seat-3' } }, signal: 'again', reader: 'urn' };
  const told = (over: object = {}) => ({ ...samples['deposit']!(), notice: again, ...over });
  const silent = () => {
    const u = samples['deposit']!();
    delete u.notice;
    return u;
  };
  const first: ShownNotice = nextNotice(undefined, told())!;

  it('stays while only phones come and go', () => {
    const u = silent();
    u.table.online = [1];
    expect(nextNotice(first, u)?.notice.n).toBe(4);
  });
  it('goes when the table goes on, or is told something else', () => {
    const on = silent();
    on.view.urn++;
    expect(nextNotice(first, on)).toBeUndefined();
    expect(nextNotice(first, told({ notice: { n: 5, msg: { k: 'table.undone' } } }))?.notice.n).toBe(5);
  });
  it('is nothing private, and an accepted card is news for a moment', () => {
    expect(nextNotice(undefined, told({ notice: { ...again, private: true } }))).toBeUndefined();
    const taken = nextNotice(undefined, told({ notice: { n: 5, msg: { k: 'table.accepted' }, signal: 'accepted' } }));
    expect(taken?.notice.n).toBe(5);
    expect(nextNotice(taken, silent())).toBeUndefined();
  });
});
