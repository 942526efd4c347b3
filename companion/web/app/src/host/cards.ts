// Long lists of cards in groups: the weapons, then the clues of each character.
import type { Name, PlaceView } from '../lib/wire';

export interface CardGroup {
  /** The character whose clues these are; the kind of the cards otherwise. */
  of: string;
  cards: string[];
}

/** Groups cards in the order in which they come, which is the order of the deck (GEN-006). */
export function groupCards(cards: readonly string[], name: (id: string) => Name | undefined): CardGroup[] {
  const all = new Map<string, string[]>();
  for (const c of cards) {
    const n = name(c);
    const of = n?.kind === 'clue' && n.of ? n.of : (n?.kind ?? '');
    all.set(of, [...(all.get(of) ?? []), c]);
  }
  return [...all].map(([of, list]) => ({ of, cards: list }));
}

/** One place of the deck editor with the weapon that belongs to it. */
export interface PlaceRow {
  place: string;
  weapon: string;
}

/** One character of the deck editor with its clues. */
export interface CharacterRow {
  character: string;
  clues: string[];
}

export interface DeckRows {
  places: PlaceRow[];
  characters: CharacterRow[];
  /** Cards that do something, which their owner may say. */
  effects: string[];
  rest: string[];
}

/** The ids that can be renamed, as the editor shows them; none is lost. */
export function deckRows(ids: readonly string[], name: (id: string) => Name | undefined): DeckRows {
  const kind = (k: string) => ids.filter((id) => name(id)?.kind === k);
  const weapons = kind('weapon');
  const clues = kind('clue');
  const places = kind('place').map((place) => ({ place, weapon: weapons.find((w) => name(w)?.of === place) ?? '' }));
  const characters = kind('character').map((character) => ({ character, clues: clues.filter((c) => name(c)?.of === character) }));
  const effects = kind('clue-card');
  const shown = new Set([...places.flatMap((p) => [p.place, p.weapon]), ...characters.flatMap((c) => [c.character, ...c.clues]),
    ...effects]);
  return { places, characters, effects, rest: ids.filter((id) => !shown.has(id)) };
}

/**
 * The things without a name of their own, those in play first: a deck calls them by their
 * number, in their id and in their label, because no rulebook does (place-3, Lieu 3).
 */
export function listUnnamed(ids: readonly string[], name: (id: string) => Name | undefined,
  places: readonly Pick<PlaceView, 'place' | 'pawns'>[]): string[]
{
  const bare = (id: string): boolean => {
    const n = /^(?:place|weapon|room)-(\d+)$/.exec(id)?.[1];
    return n !== undefined && name(id)?.text.fr.endsWith(` ${n}`) === true;
  };
  const here = new Set(places.filter((p) => p.pawns.length > 0).map((p) => p.place));
  const near = (id: string): boolean => here.has(id) || here.has(name(id)?.of ?? '');
  const all = ids.filter(bare);
  return [...all.filter(near), ...all.filter((id) => !near(id))];
}
