// The path from the closed box to the first pick: which step is done, and what
// is missing. Everything here is public.
import type { Update } from '../lib/wire';
import type { Key } from '../lib/words';
import { desk } from './model';

/** One step of the path. */
export interface Step {
  id: StepId;
  done: boolean;
  /** The game can begin without it. */
  optional: boolean;
}
export type StepId = 'box' | 'seats' | 'first' | 'rules' | 'phones' | 'roles' | 'clues' | 'pick';

/** Steps that belong to a phase of the game. */
const PHASES: Readonly<Record<string, StepId>> = { roles: 'roles', laying: 'clues', pick: 'pick' };
const BEFORE: readonly StepId[] = ['box', 'seats', 'first', 'rules', 'phones'];
const AFTER: readonly StepId[] = ['roles', 'clues', 'pick'];

/** Players that a game needs. The daemon judges; this only says it beforehand. */
const LEAST: Readonly<Record<string, number>> = { 'huis-clos': 4, 'cluedo-2008': 3 };
export const least = (game: string): number => LEAST[game] ?? 2;

/** The whole path; empty once the game runs. */
export function path(update: Update, boxDone = false): Step[] {
  const { view } = update;
  if (view.phase !== 'lobby') {
    const at = PHASES[view.phase];
    if (at === undefined) return [];
    return [
      ...BEFORE.map((id) => ({ id, done: true, optional: false })),
      ...AFTER.map((id) => ({ id, done: AFTER.indexOf(id) < AFTER.indexOf(at), optional: false })),
    ];
  }
  const d = desk(view.offers, view.active);
  const done: Record<StepId, boolean> = {
    box: boxDone && update.box === undefined,
    seats: view.seats.length >= least(view.game) || d.begin.length > 0,
    first: view.seats.some((s) => s.first),
    rules: true,
    phones: view.seats.length > 0 && view.seats.every((s) => seen(update, s.seat)),
    roles: false,
    clues: false,
    pick: false,
  };
  const asked: Partial<Record<StepId, boolean>> = { box: d.box.length + d.deck.length > 0 || update.box !== undefined, first: oldest(update) };
  const ids = BEFORE.filter((id) => asked[id] !== false);
  return [...ids, ...AFTER].map((id) => ({ id, done: done[id], optional: id === 'box' || id === 'rules' || id === 'phones' }));
}

/** The oldest player begins; in a Cluedo the dice say who (C8-011). */
const oldest = (u: Update): boolean => u.view.case === undefined;

const seen = (u: Update, seat: number): boolean => u.table.online.includes(seat) || (u.desk?.invites.some((i) => i.seat === seat && i.joined) ?? false);

/** The first step that stands in the way of the beginning; none when the game can begin. */
export const next = (steps: readonly Step[]): StepId | undefined => steps.find((s) => !s.done && !s.optional && BEFORE.includes(s.id))?.id;

/** The step that the game is in. */
export const now = (update: Update): StepId | undefined => PHASES[update.view.phase];

/** What is missing, in words; empty when the game can begin. */
export function missing(update: Update): { key: Key; args: Record<string, string | number> }[] {
  const { view } = update;
  const out: { key: Key; args: Record<string, string | number> }[] = [];
  if (update.box !== undefined) out.push({ key: 'host.missing.box', args: {} });
  const short = least(view.game) - view.seats.length;
  const begin = view.offers.some((o) => o.act === 'begin');
  if (short > 0 && !begin) out.push({ key: short === 1 ? 'host.missing.player' : 'host.missing.players', args: { n: short } });
  if (oldest(update) && !view.seats.some((s) => s.first) && !begin) out.push({ key: 'host.missing.first', args: {} });
  return out;
}

/** A player of an earlier evening. */
export interface Guest {
  seat: number;
  name: string;
  character: string;
}

/** Reads what the browser has kept; whatever does not make sense is left out. */
export function readGuests(text: string | undefined): Guest[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(list)) return [];
    return list.filter((g: Partial<Guest> | null): g is Guest => Number.isInteger(g?.seat) && typeof g?.name === 'string' && typeof g.character === 'string')
      .slice(0, 10);
  } catch {
    return [];
  }
}

/** The guests with those who sit now: the newest of each seat stays. */
export function remember(guests: readonly Guest[], update: Update): Guest[] {
  const here = update.view.seats.map((s) => ({ seat: s.seat, name: s.name, character: s.character ?? '' }));
  return [...guests.filter((g) => !here.some((h) => h.seat === g.seat)), ...here].sort((a, b) => a.seat - b.seat);
}

/** Who could sit down again at one tap: guests whose seat and character are free. */
export function returning(guests: readonly Guest[], seats: readonly string[], characters: readonly string[]): Guest[] {
  const taken = new Set<string>();
  return guests.filter((g) => {
    const free = seats.includes(`seat-${g.seat}`) && characters.includes(g.character) && g.name !== '' && !taken.has(g.character);
    if (free) taken.add(g.character);
    return free;
  });
}
