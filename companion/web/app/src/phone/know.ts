// What a seat has seen so far, by place and by player. A page of memory, not of
// deduction: nothing here is worked out from what others hold (GEN-007).
import type { PlaceView, Seat, SeatView, Sighting } from '../lib/wire';

/** All that was seen at one place or with one player; every place and player has a page, empty or not. */
export interface Page {
  of: string; // a place, "seat-3", or ELSEWHERE
  sightings: Sighting[]; // newest first
}

export const ELSEWHERE = 'elsewhere';

const collectSightings = (of: string, seen: readonly Sighting[], belongs: (s: Sighting) => boolean): Page => ({
  of,
  sightings: seen.filter(belongs),
});

export const byPlace = (seen: readonly Sighting[], places: readonly Pick<PlaceView, 'place'>[]): Page[] => [
  ...places.map((p) => collectSightings(p.place, seen, (s) => s.place === p.place)),
  collectSightings(ELSEWHERE, seen, (s) => !s.place),
];

export const byPlayer = (seen: readonly Sighting[], seats: readonly Pick<SeatView, 'seat'>[], me: Seat): Page[] => [
  ...seats.filter((s) => s.seat !== me).map((p) => collectSightings(`seat-${p.seat}`, seen, (s) => s.other === p.seat)),
  collectSightings(ELSEWHERE, seen, (s) => !s.other),
];

/** Ways of seeing that are private news: an observed card, and one drawn from this hand. What was shown to all is in the story. */
export const PRIVATE_WAYS: ReadonlySet<string> = new Set(['taken', 'drawn']);
/** The same for games in which a seat's shown cards, its pool and its envelope are secret. */
export const SHOWN: ReadonlySet<string> = new Set(['shown', 'there', 'envelope']);

/**
 * The last card shown to this seat in the current round or, where a round is one
 * turn, at most back rounds earlier. The page mentions it until it has been
 * read. Undefined when there is none, or it was read.
 */
export function newestSighting(seen: readonly Sighting[], round: number, read: string, news = PRIVATE_WAYS, back = 0):
  | Sighting
  | undefined
{
  const last = seen.find((s) => s.round >= round - back && news.has(s.how));
  return last && sightingKey(last) !== read ? last : undefined;
}

/** Tells one sighting from another, to remember which was read. */
export const sightingKey = (s: Sighting): string => JSON.stringify([s.cards, s.how, s.place ?? '', s.other ?? 0, s.round]);
