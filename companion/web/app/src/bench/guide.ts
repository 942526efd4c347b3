// The guiding line: what a newcomer should do next, worked out from the public
// view and from what lies on the simulated table. It knows no secret: not whose
// role is what, and not which card is the right one.
import type { Bench } from '../gen/wire';
import { MoodCount, type Update } from '../lib/wire';
import type { Key } from '../lib/words';
import { heaps, reading } from './cluedo';
import { SPOT, at, handOf, isClue } from './drop';
import type { Difference, Guide } from './step';

/** What is true beside the next step: a reader whose cable is out. */
export const unplugged = (bench: Bench): boolean => bench.readers.some((r) => !r.plugged);

const MANY = 3; // heaps that differ
const LEAST = 4; // players of Huis Clos (HC-001)
const LEAST_CASE = 3; // of a Cluedo (C8-001)
const UNCOUNTED = new Set(['lobby', 'roles', 'laying', 'dealing']);

/**
 * The counts that differ. None while cards are on a reader or the helping hand
 * is busy: then the table is between two states; and none before the clues lie.
 */
export function differences(update: Update, bench: Bench): Difference[] {
  const { view } = update;
  if (bench.busy || UNCOUNTED.has(view.phase) || view.result !== undefined) return [];
  if (at(bench, SPOT.slot).length + at(bench, SPOT.show).length > 0) return [];
  if (view.case) return heaps(update, bench).filter((d) => d.record !== d.table);
  const clues = (spot: string): number => at(bench, spot).filter(isClue).length;
  const all = [
    ...view.places.map((p) => ({ spot: p.place, record: p.cards, table: clues(p.place) })),
    ...view.seats.filter((s) => s.alive).map((s) => ({ spot: handOf(s.seat), record: s.cards, table: clues(handOf(s.seat)) })),
    { spot: SPOT.urn, record: view.urn, table: clues(SPOT.urn) },
  ];
  return all.filter((d) => d.record !== d.table);
}

/** The next step. */
export function guide(update: Update, bench: Bench): Guide {
  const { view } = update;
  const nothing = { from: [], to: [] };
  if (update.paused !== undefined) return { key: 'ui.bench.guide.paused', ...nothing };
  if (bench.slow) return { key: 'bench.guide.slow', ...nothing };
  if (bench.busy) return { key: 'ui.bench.guide.dealing', ...nothing };
  if (view.result !== undefined) return { key: 'ui.bench.guide.over', ...nothing, host: true };
  if (update.vote !== undefined) return vote(update.vote);
  if (view.mood === MoodCount) return { key: 'bench.guide.count', ...nothing, host: true };
  if (view.phase === 'lobby' && view.case) {
    return { key: view.seats.length >= LEAST_CASE ? 'ui.bench.guide.begin' : 'bench.case.lobby', ...nothing, host: true };
  }
  if (view.phase === 'lobby') return { key: seated(view.seats) ? 'ui.bench.guide.begin' : 'ui.bench.guide.lobby', ...nothing, host: true };
  if (at(bench, SPOT.slot).length > 1 || at(bench, SPOT.show).length > 1) return { key: 'ui.bench.guide.several', ...nothing };
  if (at(bench, SPOT.slot).length + at(bench, SPOT.show).length > 0) return { key: 'ui.bench.guide.reading', ...nothing };
  return put(update, bench) ?? (view.case ? reading(update) : reader(update)) ?? phone(update);
}

/** Whether the game can begin: enough players, and one of them is named the first (HC-001, HC-020). */
const seated = (seats: Update['view']['seats']): boolean => seats.length >= LEAST && seats.some((s) => s.first);

/** Everybody who lives is asked on the phone; the first who has not agreed comes first (GEN-009). */
function vote({ agreed, of }: NonNullable<Update['vote']>): Guide {
  const seat = of.find((s) => !agreed.includes(s));
  return { key: 'bench.guide.vote', from: [], to: [], ...(seat === undefined ? {} : { phone: seat }) };
}

/** Sets the table right where the counts differ from the record. */
function put(update: Update, bench: Bench): Guide | undefined {
  const found = differences(update, bench);
  const first = found[0];
  // Many at once are not moved one by one.
  if (first !== undefined && found.length > MANY) return { key: 'bench.guide.many', from: [], to: found.map((d) => d.spot), tidy: true };
  const more = found.find((d) => d.table > d.record);
  const less = found.find((d) => d.table < d.record && d.spot !== more?.spot);
  if (more === undefined && less === undefined) return undefined;
  if (more === undefined || less === undefined) {
    const d = (more ?? less)!;
    return {
      key: 'ui.bench.guide.differs',
      args: { record: String(d.record), table: String(d.table) },
      spots: { spot: d.spot },
      from: [],
      to: [d.spot],
      tidy: true,
    };
  }
  return { key: 'ui.bench.guide.move', spots: { from: more.spot, to: less.spot }, from: [more.spot], to: [less.spot], tidy: true };
}

const SHOW_KEYS: Record<string, Key> = {
  roles: 'ui.bench.guide.roles',
  laying: 'ui.bench.guide.laying',
  pick: 'ui.bench.guide.pick',
  investigation: 'ui.bench.guide.take',
  recovery: 'ui.bench.guide.recover',
};

/** What a reader waits for. */
function reader(update: Update): Guide | undefined {
  const { view } = update;
  const lost = (role: string): boolean => update.table.readers[role] === 'lost';
  const urn = view.readers.find((r) => r.reader === 'urn' && !lost('urn'));
  const show = view.readers.find((r) => r.reader === 'show' && !lost('show'));
  if (urn !== undefined && view.phase === 'deposit') {
    return { key: 'ui.bench.guide.deposit', args: { seat: `seat-${urn.seat}` }, from: [handOf(urn.seat)], to: [SPOT.slot], phone: urn.seat };
  }
  if (show === undefined) return undefined;
  const whose = { args: { seat: `seat-${show.seat}` }, to: [SPOT.show], phone: show.seat, host: true };
  if (show.kind === 'role-card' && view.phase !== 'roles') return { key: 'bench.guide.role', ...whose, from: [handOf(show.seat)] };
  if (view.phase === 'reveal') return { key: 'bench.guide.show', ...whose, from: [SPOT.open] };
  const key = SHOW_KEYS[view.phase];
  if (key === undefined) return undefined;
  const stands = view.seats.find((s) => s.seat === show.seat)?.place ?? '';
  const args = { seat: `seat-${show.seat}`, place: stands };
  switch (view.phase) {
    case 'roles':
      return { key, args, from: [SPOT.box], to: [SPOT.show], deal: true };
    case 'laying':
      return { key, from: [SPOT.box], to: [SPOT.show], deal: true, host: true };
    case 'recovery':
      return { key, args, from: [SPOT.open], to: [SPOT.show], phone: show.seat };
    default:
      return { key, args, from: stands === '' ? [] : [stands], to: [SPOT.show], phone: show.seat };
  }
}

/** Otherwise somebody decides on a phone. */
function phone(update: Update): Guide {
  const [seat] = update.view.active;
  // No reader to lay at: people lay the clues and tell the host.
  if (update.view.phase === 'laying') return { key: 'bench.guide.laid', from: [], to: [], host: true };
  if (update.view.phase === 'dealing') return { key: 'bench.case.dealt', from: [], to: [], host: true };
  if (seat === undefined) return { key: 'ui.bench.guide.wait', from: [], to: [] };
  if (!update.table.online.includes(seat)) return { key: 'bench.guide.host', args: { seat: `seat-${seat}` }, from: [], to: [], phone: seat, host: true };
  return { key: 'ui.bench.guide.phone', args: { seat: `seat-${seat}` }, from: [], to: [], phone: seat };
}
