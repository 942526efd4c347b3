// The spots of the simulated table, and the acts sent to the daemon when something is moved
// there. The table is as free as a real one: a card can be put anywhere.
import type { Bench, BenchAct, BenchCard } from '../gen/wire';
import type { Update } from '../lib/wire';

/** The spots that are neither a place nor a hand (companion/wire, bench.go). */
export const SPOT = {
  box: 'box',
  slot: 'slot',
  urn: 'urn',
  show: 'show',
  open: 'open',
  gone: 'gone',
  envelope: 'envelope',
  pile: 'pile',
} as const;

export const handOf = (seat: number): string => `hand:seat-${seat}`;

/** The seat of a hand; undefined for other spots. */
export function seatOfHand(spot: string): number | undefined {
  const m = /^hand:seat-(\d+)$/.exec(spot);
  return m ? Number(m[1]) : undefined;
}

/** The cards at one spot, in the order of the table. */
export function cardsAt(bench: Bench, spot: string): BenchCard[] {
  return bench.cards.filter((c) => c.spot === spot);
}

/** Every spot where a card can be put, in the order of the menu; own are the spots that only this game has. */
export function dropTargets(update: Update, own: readonly string[]): string[] {
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

/** The act that moves cards to a spot; undefined if nothing would change. */
export function moveCards(bench: Bench, tags: readonly string[], spot: string): BenchAct | undefined {
  const moved = tags.filter((t) => bench.cards.some((c) => c.tag === t && c.spot !== spot));
  const [first] = moved;
  if (first === undefined) return undefined;
  return moved.length === 1 ? { act: 'move', card: first, spot } : { act: 'move', cards: moved, spot };
}

/** The act that moves a pawn to a place; undefined if the spot is no place or the pawn is there already. */
export function movePawn(bench: Bench, update: Update, seat: number, spot: string): BenchAct | undefined {
  if (!update.view.places.some((p) => p.place === spot)) return undefined;
  if (bench.pawns.some((p) => p.seat === seat && p.place === spot)) return undefined;
  return { act: 'pawn', seat, place: spot };
}
