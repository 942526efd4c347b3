// The private cards of a seat, as the phone shows them.
import { type Key, hasWords } from '../lib/words';
import type { Voice } from '../lib/voice';
import type { Own, Sighting } from '../lib/wire';

/** One card whose face only this seat may see. */
export interface Face {
  key: string; // for holding; unique on the page
  kind: string; // for the emblem
  card: string;
  over: string; // small capitals: what it is
  title: string;
  notes: string[]; // what binds this seat
}

const OVER: Record<string, Key> = {
  weapon: 'ui.kind.weapon',
  clue: 'ui.kind.clue',
  'role-card': 'ui.kind.role',
};

export function faceOf(voice: Voice, where: string, card: string, marks: readonly string[] = []): Face {
  const name = voice.name(card);
  const kind = name?.kind ?? 'clue';
  const over = OVER[kind] ?? 'ui.kind.card';
  const title = name?.of !== undefined && kind === 'clue' ? voice.label(name.of) : voice.label(card);
  const notes = [
    ...(name?.of !== undefined && kind === 'clue' ? [voice.label(card)] : []),
    ...(name?.of !== undefined && kind === 'weapon' ? [voice.t('ui.card.kills', { place: name.of })] : []),
    ...(marks.includes('new') ? [voice.t('ui.card.new')] : []),
    ...(marks.includes('kept') ? [voice.t('ui.card.kept')] : []),
  ];
  return { key: `${where}:${card}`, kind, card, over: voice.t(over), title, notes };
}

/**
 * The role card. Every seat has one, whatever its role and before it is known,
 * and it carries the private limits of the moment: all phones look the same.
 */
export function roleFace(voice: Voice, me: Own): Face {
  const notes = me.facts.map((f) => voice.say(f));
  return {
    key: 'role',
    kind: 'role-card',
    // One emblem for all roles: a glance at the drawing must not show more than the words.
    card: '',
    over: voice.t('ui.kind.role'),
    title: me.role === undefined || me.role === '' ? voice.t('ui.role.none') : voice.label(me.role),
    notes: notes.length > 0 ? notes : [voice.t('ui.role.nothing')],
  };
}

/**
 * The fan of this seat's cards, as many as its public number: cards that the
 * program cannot name are included.
 */
export function handFaces(voice: Voice, me: Own, count: number, role = true): Face[] {
  const unnamed = Math.max(0, count - me.hand.length);
  return [
    ...me.hand.map((c) => faceOf(voice, 'hand', c.card, c.marks)),
    ...Array.from(
      { length: unnamed },
      (_, i) => ({
        key: `hand:unnamed-${i}`,
        kind: 'clue',
        card: '',
        over: voice.t('ui.kind.clue'),
        title: voice.t('phone.card.unnamed'),
        notes: [voice.t('phone.card.unnamed.why')],
      }),
    ),
    ...(role ? [roleFace(voice, me)] : []),
  ];
}

/** One card of several, small. */
export interface Tile {
  id: string;
  title: string;
  notes: string[];
  off: boolean; // listed, not to be chosen now
  n?: number; // its number; without it, its place
}

export function tileOf(voice: Voice, card: string, me: Own | undefined, off = false): Tile {
  const name = voice.name(card);
  const marks = me?.hand.find((c) => c.card === card)?.marks ?? [];
  return {
    id: card,
    title: voice.label(card),
    notes: [
      ...(name?.kind === 'weapon' && name.of !== undefined ? [voice.t('phone.tile.kills', { place: name.of })] : []),
      ...(marks.includes('new') ? [voice.t('phone.tile.new')] : []),
      ...(marks.includes('fits') ? [voice.t('phone.tile.fits')] : []),
      ...(marks.includes('play') ? [voice.t('phone.tile.play')] : []),
      ...(off ? [voice.t('phone.tile.off')] : []),
    ],
    off,
  };
}

/** A card that the machine cannot name. */
export const unnamedTile = (voice: Voice, n: number): Tile => ({
  id: `unnamed-${n}`,
  title: voice.t('phone.card.unnamed'),
  notes: [],
  off: false,
});

/**
 * Cards of one label are one choice: the one that may be chosen, else the first, because players
 * cannot distinguish them. Cards of a known hand are listed one by one.
 */
export function mergeAlike(voice: Voice, cards: readonly string[], off: readonly string[], me: Own | undefined): string[] {
  if (cards.every((card) => me?.hand.some((c) => c.card === card))) return [...cards];
  const out = new Map<string, string>();
  for (const card of cards) {
    const known = out.get(voice.label(card));
    if (known === undefined || (off.includes(known) && !off.includes(card))) out.set(voice.label(card), card);
  }
  return [...out.values()];
}

/** Some of many cards. */
export interface Group {
  id: string;
  title: string;
  cards: string[];
}

/** More cards than this are asked for in two steps: whose, then which. */
export const MANY = 12;

/** Cards by what they have in common: one's own hand, a character each, the weapons; in deck order. */
export function groupTiles(voice: Voice, cards: readonly string[], me: Own | undefined): Group[] {
  const hand = new Set(me?.hand.map((c) => c.card));
  const out = new Map<string, Group>();
  const put = (id: string, title: string, card: string): void => {
    const g = out.get(id) ?? { id, title, cards: [] };
    g.cards.push(card);
    out.set(id, g);
  };
  for (const card of cards) {
    const name = voice.name(card);
    if (hand.has(card)) put('hand', voice.t('phone.group.hand'), card);
    else if (name?.kind === 'clue' && name.of !== undefined) put(name.of, voice.label(name.of), card);
    else if (name?.kind === 'weapon') put('weapon', voice.t('phone.group.weapons'), card);
    else if (name?.kind === 'suspect') put('suspect', voice.t('phone.kind.suspects'), card);
    else if (name?.kind === 'room') put('room', voice.t('phone.kind.rooms'), card);
    else if (name?.kind === 'butler-card') put('butler', voice.t('phone.kind.butlers'), card);
    else if (name?.kind === 'clue-card') put('clue', voice.t('phone.kind.clues'), card);
    else put('other', voice.t('phone.group.other'), card);
  }
  return [...out.values()];
}

/** How, where and with whom a card was seen, without the card. */
export function sightWords(voice: Voice, s: Sighting): string {
  const key = `phone.saw.${s.how === 'there' && voice.name(s.place ?? '')?.kind !== 'place' ? 'pool' : s.how}`;
  const args = { place: s.place ?? '', seat: s.other ? `seat-${s.other}` : '' };
  return hasWords(key) ? voice.t(key, args) : [args.place, args.seat].filter((v) => v !== '').map(voice.label).join(', ');
}
