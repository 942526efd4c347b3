// Huis Clos on the simulated table: the urn, and the clues that hands and places hold.
import { SPOT, cardsAt, handOf } from '../../bench/drop';
import type { Guide } from '../../bench/step';
import type { BenchCard } from '../../gen/wire';
import type { Update } from '../../lib/wire';
import type { Key } from '../../lib/words';
import type { BenchPart } from '../parts';
import * as plain from '../plain/bench';

const LEAST = 4; // players (HC-001)
const UNCOUNTED = new Set(['roles', 'laying']); // phases before the clues are placed

/** Reports whether a card is a clue, which may be face down on a place: character clues and weapons. */
const isClue = (card: BenchCard): boolean => card.kind === 'clue' || card.kind === 'weapon';

export const part: BenchPart = {
  ...plain.part,
  lots: (cards) => [
    { cards: cards.filter(isClue) },
    { cards: cards.filter((c) => c.kind === 'role-card') },
    { cards: cards.filter((c) => !isClue(c) && c.kind !== 'role-card') },
  ],
  heaps({ view }, bench) {
    if (UNCOUNTED.has(view.phase)) return [];
    const clues = (spot: string): number => cardsAt(bench, spot).filter(isClue).length;
    return [
      ...view.places.map((p) => ({ spot: p.place, record: p.cards, table: clues(p.place) })),
      ...view.seats.filter((s) => s.alive).map((s) => ({ spot: handOf(s.seat), record: s.cards, table: clues(handOf(s.seat)) })),
      { spot: SPOT.urn, record: view.urn, table: clues(SPOT.urn) },
    ];
  },
  // Enough players, and one of them is named the first (HC-001, HC-020).
  lobby: ({ seats }) => (seats.length >= LEAST && seats.some((s) => s.first) ? 'ui.bench.guide.begin' : 'ui.bench.guide.lobby'),
  reading: readingStep,
};

const SHOW_KEYS: Record<string, Key> = {
  roles: 'ui.bench.guide.roles',
  laying: 'ui.bench.guide.laying',
  pick: 'ui.bench.guide.pick',
  investigation: 'ui.bench.guide.take',
  recovery: 'ui.bench.guide.recover',
};

/** The step for the reader that waits for a card; undefined if none waits. */
function readingStep(update: Update): Guide | undefined {
  const { view } = update;
  const lost = (role: string): boolean => update.table.readers[role] === 'lost';
  const urn = view.readers.find((r) => r.reader === 'urn' && !lost('urn'));
  const show = view.readers.find((r) => r.reader === 'show' && !lost('show'));
  if (urn !== undefined && view.phase === 'deposit') {
    return {
      key: 'ui.bench.guide.deposit',
      args: { seat: `seat-${urn.seat}` },
      from: [handOf(urn.seat)],
      to: [SPOT.slot],
      phone: urn.seat,
    };
  }
  // No reader to place cards on: the players place the clues and say so to the host.
  if (show === undefined) return view.phase === 'laying' ? { key: 'bench.guide.laid', from: [], to: [], host: true } : undefined;
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
