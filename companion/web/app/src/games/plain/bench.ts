import { SPOT, cardsAt, handOf } from '../../bench/drop';
import type { BenchPart } from '../parts';

export const part: BenchPart = {
  lots: (cards) => [{ cards: [...cards] }],
  hidden: { spot: SPOT.urn, wide: 30 },
  open: () => ({ spot: SPOT.open, wide: 62 }),
  spots: () => [SPOT.urn],
  heaps: ({ view }, bench) => [
    ...view.places.map((p) => ({ spot: p.place, record: p.cards, table: cardsAt(bench, p.place).length })),
    ...view.seats.map((s) => ({ spot: handOf(s.seat), record: s.cards, table: cardsAt(bench, handOf(s.seat)).length })),
    { spot: SPOT.urn, record: view.urn, table: cardsAt(bench, SPOT.urn).length },
  ],
  lobby: (view) => (view.seats.length > 0 ? 'ui.bench.guide.begin' : 'bench.guide.seat'),
  reading({ view, table }) {
    const urn = view.readers.find((r) => r.reader === 'urn' && table.readers['urn'] !== 'lost');
    if (urn === undefined) return undefined;
    return {
      key: 'ui.bench.guide.deposit',
      args: { seat: `seat-${urn.seat}` },
      from: [handOf(urn.seat)],
      to: [SPOT.slot],
      phone: urn.seat,
    };
  },
};
