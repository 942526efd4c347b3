// How far the machine knows the cards, as a table: grades and public counts.
import type { Update } from '../lib/wire';

export type Grade = 'verified' | 'partly' | 'trusted';

export interface CustodyRow {
  of: string;
  n: number; // cards there, a public number
  cards: Grade;
  role?: Grade;
}

const grade = (s: string | undefined): Grade | undefined => (s === 'verified' || s === 'partly' || s === 'trusted' ? s : undefined);

export function custodyRows({ view }: Update): CustodyRow[] {
  const n = (of: string): number =>
    of === 'urn' ? view.urn : (view.places.find((p) => p.place === of)?.cards ?? view.seats.find((s) => `seat-${s.seat}` === of)?.cards ?? 0);
  return (view.custody ?? []).map((c) => {
    const role = grade(c.role);
    // A grade that this page does not know promises nothing.
    return { of: c.of, n: n(c.of), cards: grade(c.cards) ?? 'trusted', ...(role ? { role } : {}) };
  });
}

/** How many holders have each grade. */
export function tally(rows: readonly CustodyRow[]): Record<Grade, number> {
  const sum: Record<Grade, number> = { verified: 0, partly: 0, trusted: 0 };
  for (const r of rows) sum[r.cards]++;
  return sum;
}
