// The count of the cards (GEN-E09): what the record says of each hand, place and
// of the urn, and what people have counted. Numbers only, never a card.
import type { Offer, Update } from '../lib/wire';
import type { Job } from './line.svelte';

export interface CountRow {
  of: string; // "seat-2", a place or "urn"
  record: number;
}

const find = (offers: readonly Offer[], act: string): Offer | undefined => offers.find((o) => o.act === act);
const domain = (o: Offer | undefined, name: string): readonly string[] => o?.params?.find((p) => p.name === name)?.domain ?? [];

/** Everything that can be counted, in the order of the offer. */
export function countRows({ view }: Update): CountRow[] {
  const record = (of: string): number =>
    of === 'urn' ? view.urn : (view.places.find((p) => p.place === of)?.cards ?? view.seats.find((s) => `seat-${s.seat}` === of)?.cards ?? 0);
  const offer = find(view.offers, 'count-is');
  const all = [...domain(offer, 'of'), ...(offer?.fixed?.['of'] ? [offer.fixed['of']] : [])];
  return all.map((of) => ({ of, record: record(of) }));
}

/** The greatest number that can be declared. */
export function most({ view }: Update): number {
  return Math.max(0, ...domain(find(view.offers, 'count-is'), 'n').map(Number).filter(Number.isFinite));
}

/** What has to be said: the counts that differ, then that all is counted. */
export function countJobs(rows: readonly CountRow[], counted: ReadonlyMap<string, number>): Job[] {
  const differing = rows.filter((r) => (counted.get(r.of) ?? r.record) !== r.record);
  return [
    ...differing.map((r) => ({ key: `count-is ${r.of}`, act: 'count-is', args: { of: r.of, n: String(counted.get(r.of)) } })),
    { key: 'counted', act: 'counted', args: {} },
  ];
}

/** How many cards would be missing of those that are still in the game; negative: too many. */
export function lacking(rows: readonly CountRow[], counted: ReadonlyMap<string, number>, inGame: number): number {
  return inGame - rows.reduce((sum, r) => sum + (counted.get(r.of) ?? r.record), 0);
}
