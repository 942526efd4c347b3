// How far the machine knows the cards, as a table: grades and public counts.
import type { Update } from '../lib/wire';
import type { Voice } from '../lib/voice';

export type Grade = 'verified' | 'partly' | 'trusted';

export interface CustodyRow {
  of: string;
  n: number; // cards there, a public number
  cards: Grade;
  role?: Grade;
}

const ENVELOPE = 'envelope'; // of a Cluedo
const SEALED = 3; // cards in it (C8-002)

/** The name of a holder of cards: a seat, the urn, the envelope. */
export function holderName(words: Pick<Voice, 't' | 'label'>, of: string): string {
  if (of === 'urn') return words.t('host.urn');
  return of === ENVELOPE ? words.t('host.secrets.envelope') : words.label(of);
}

const parseGrade = (s: string | undefined): Grade | undefined => (s === 'verified' || s === 'partly' || s === 'trusted' ? s : undefined);

export function custodyRows({ view }: Update): CustodyRow[] {
  const n = (of: string): number =>
    of === 'urn'
      ? view.urn
      : of === ENVELOPE
      ? SEALED
      : (view.places.find((p) => p.place === of)?.cards ?? view.seats.find((s) => `seat-${s.seat}` === of)?.cards ?? 0);
  return (view.custody ?? []).map((c) => {
    const role = parseGrade(c.role);
    // A grade that this page does not know promises nothing.
    return { of: c.of, n: n(c.of), cards: parseGrade(c.cards) ?? 'trusted', ...(role ? { role } : {}) };
  });
}

/** How many holders have each grade. */
export function countGrades(rows: readonly CustodyRow[]): Record<Grade, number> {
  const sum: Record<Grade, number> = { verified: 0, partly: 0, trusted: 0 };
  for (const r of rows) sum[r.cards]++;
  return sum;
}
