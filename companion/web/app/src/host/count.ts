// The count of the cards (GEN-E09): what the record says of each hand, place and
// of the urn, and what people have counted. Numbers only, never a card.
import { hostOf } from '../games/host';
import type { Offer, Update } from '../lib/wire';
import type { Job } from './actqueue.svelte';

export interface CountRow {
  of: string; // "seat-2", a place or "urn"
  record: number;
  most: number; // the greatest number that can be declared
}

/** Everything that can be counted, in the order of the offers: one for each, or one for all. */
export function countRows({ view }: Update): CountRow[] {
  const record = (of: string): number =>
    of === 'urn'
      ? view.urn
      : (view.places.find((p) => p.place === of)?.cards ?? view.seats.find((s) => `seat-${s.seat}` === of)?.cards ?? 0);
  const domain = (o: Offer, name: string): readonly string[] => o.params?.find((p) => p.name === name)?.domain ?? [];
  return view.offers.filter((o) => o.act === 'count-is').flatMap((o) => {
    const most = Math.max(0, ...domain(o, 'n').map(Number).filter(Number.isFinite));
    const fixed = o.fixed?.['of'];
    return (fixed === undefined ? domain(o, 'of') : [fixed]).map((of) => ({ of, record: record(of), most }));
  });
}

/** The acts to send: the counts that differ, then the one that ends the counting. */
export function countJobs(rows: readonly CountRow[], counted: ReadonlyMap<string, number>): Job[] {
  const differing = rows.filter((r) => (counted.get(r.of) ?? r.record) !== r.record);
  return [
    ...differing.map((r) => ({ key: `count-is ${r.of}`, act: 'count-is', args: { of: r.of, n: String(counted.get(r.of)) } })),
    { key: 'counted', act: 'counted', args: {} },
  ];
}

/**
 * The number of cards to be counted: those of the box, by kind, without those that are face up or out of the game; the number
 * on record where the game does not say.
 */
export const countInGame = (update: Update, box: (kind: string) => number): number =>
  hostOf(update.view).inGame?.(update.view, box) ?? countRows(update).reduce((sum, r) => sum + r.record, 0);

/** The number of cards of the game that are missing by this count; negative: too many. */
export function countMissing(rows: readonly CountRow[], counted: ReadonlyMap<string, number>, inGame: number): number {
  return inGame - rows.reduce((sum, r) => sum + (counted.get(r.of) ?? r.record), 0);
}
