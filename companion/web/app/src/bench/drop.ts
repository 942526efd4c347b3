// What may be put where on the simulated table, and what putting it there asks
// of the daemon. The table is as free as a real one: a card can be laid anywhere.
import type { Bench, BenchAct, BenchCard } from '../gen/wire';
import type { Update } from '../lib/wire';

/** Spots that are no place and no hand (companion/wire, bench.go). */
export const SPOT = { box: 'box', slot: 'slot', urn: 'urn', show: 'show', open: 'open', gone: 'gone', envelope: 'envelope', pile: 'pile' } as const;

export const handOf = (seat: number): string => `hand:seat-${seat}`;

/** The seat of a hand; undefined for other spots. */
export function seatOfHand(spot: string): number | undefined {
  const m = /^hand:seat-(\d+)$/.exec(spot);
  return m ? Number(m[1]) : undefined;
}

/** The cards that lie at one spot, in the order of the table. */
export function at(bench: Bench, spot: string): BenchCard[] {
  return bench.cards.filter((c) => c.spot === spot);
}

/** Every spot where a card can be put, in the order of a menu; own are those of the game alone. */
export function targets(update: Update, own: readonly string[]): string[] {
  return [
    SPOT.slot,
    SPOT.show,
    ...update.view.seats.map((s) => handOf(s.seat)),
    ...update.view.places.map((p) => p.place),
    SPOT.open,
    SPOT.gone,
    ...own,
    SPOT.box,
  ];
}

/** Moving cards to a spot: undefined when nothing would change. */
export function moveCards(bench: Bench, tags: readonly string[], spot: string): BenchAct | undefined {
  const moved = tags.filter((t) => bench.cards.some((c) => c.tag === t && c.spot !== spot));
  const [first] = moved;
  if (first === undefined) return undefined;
  return moved.length === 1 ? { act: 'move', card: first, spot } : { act: 'move', cards: moved, spot };
}

/** Moving a pawn: only on to a place, and undefined when it stands there. */
export function movePawn(bench: Bench, update: Update, seat: number, spot: string): BenchAct | undefined {
  if (!update.view.places.some((p) => p.place === spot)) return undefined;
  if (bench.pawns.some((p) => p.seat === seat && p.place === spot)) return undefined;
  return { act: 'pawn', seat, place: spot };
}
