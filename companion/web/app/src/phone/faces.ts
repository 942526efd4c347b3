// The private cards of a seat, as the phone shows them.
import type { Key } from '../lib/words';
import type { Msg, Name, Own } from '../lib/wire';

/** One card whose face only this seat may see. */
export interface Face {
  key: string; // for holding; unique on the page
  kind: string; // for the emblem
  card: string;
  over: string; // small capitals: what it is
  title: string;
  notes: string[]; // what binds this seat
}

/** The words of this phone. */
export interface Voice {
  t(key: Key, args?: Record<string, string | number>): string;
  say(msg: Msg): string;
  label(value: string): string;
  name(id: string): Name | undefined;
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
 * and it carries the private limits of the moment: all phones look alike.
 */
export function roleFace(voice: Voice, me: Own): Face {
  const notes = me.facts.map((f) => voice.say(f));
  return {
    key: 'role',
    kind: 'role-card',
    // One emblem for all roles: a glance at the drawing must not tell more than the words.
    card: '',
    over: voice.t('ui.kind.role'),
    title: me.role === undefined || me.role === '' ? voice.t('ui.role.none') : voice.label(me.role),
    notes: notes.length > 0 ? notes : [voice.t('ui.role.nothing')],
  };
}

/** The two fans: what this seat holds, and what it may look through now. */
export function faces(voice: Voice, me: Own): { hand: Face[]; tray: Face[] } {
  return {
    hand: [...me.hand.map((c) => faceOf(voice, 'hand', c.card, c.marks)), roleFace(voice, me)],
    tray: me.tray.map((card) => faceOf(voice, 'tray', card)),
  };
}
