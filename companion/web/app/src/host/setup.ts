// The path from the closed box to the first pick: which step is done, and what
// is missing. Everything here is public.
import { hostOf } from '../games/host';
import type { AfterId } from '../games/parts';
import type { Args, Enrol, Offer, Update } from '../lib/wire';
import { browserItem } from '../lib/storage';
import type { Key } from '../lib/words';
import { findOffer } from './model';

/** One step of the path. */
export interface Step {
  id: StepId;
  done: boolean;
  /** The game can begin without it. */
  optional: boolean;
}
export type StepId = 'game' | 'box' | 'seats' | 'first' | 'rules' | 'phones' | AfterId;

const BEFORE: readonly StepId[] = ['game', 'box', 'seats', 'first', 'rules', 'phones'];

/** The games that can be played here; empty if there is only one. */
export function gameOffers(update: Update): Offer[] {
  const all = update.view.offers.filter((o) => o.act === 'new-game');
  return all.length > 1 ? all : [];
}

/** Reports whether the game is still to be chosen: no player has come, and this device has last chosen another one (last). */
export function needsGame(update: Update, last: string | undefined): boolean {
  const { view } = update;
  return gameOffers(update).length > 0 && last !== view.game && view.phase === 'lobby' && view.seats.length === 0 &&
    (update.desk?.guests ?? []).length === 0;
}

/** The whole path; empty once the game runs. */
export function setUpSteps(update: Update, boxDone = false, last?: string): Step[] {
  const { view } = update;
  const game = hostOf(view);
  const after = Object.values(game.after);
  if (view.phase !== 'lobby') {
    const at = game.after[view.phase];
    if (at === undefined) return [];
    return [
      ...BEFORE.map((id) => ({ id, done: true, optional: false })),
      ...after.map((id) => ({ id, done: after.indexOf(id) < after.indexOf(at), optional: false })),
    ];
  }
  const done: Record<StepId, boolean> = {
    game: !needsGame(update, last),
    box: boxDone && update.box === undefined,
    seats: view.seats.length >= (needsTwoRule(update) ? 2 : leastOf(update)) || findOffer(view.offers, 'begin') !== undefined,
    first: view.seats.some((s) => s.first),
    rules: true,
    phones: view.seats.length > 0 && view.seats.every((s) => hasPhone(update, s.seat)),
    roles: false,
    clues: false,
    pick: false,
  };
  const asked: Partial<Record<StepId, boolean>> = {
    game: gameOffers(update).length > 0,
    box: findOffer(view.offers, 'box-check') !== undefined || update.box !== undefined,
    first: game.first(view),
  };
  const ids = BEFORE.filter((id) => asked[id] !== false);
  return [...ids, ...after].map((id) => ({ id, done: done[id], optional: id === 'box' || id === 'rules' || id === 'phones' }));
}

const hasPhone = (u: Update, seat: number): boolean =>
  u.table.online.includes(seat) || (u.desk?.invites.some((i) => i.seat === seat && i.joined) ?? false);

/** The least number of players by the chosen house rules. */
function leastOf({ view }: Update): number {
  const game = hostOf(view);
  return game.two?.rules.some(([rule, value]) => view.switches[rule] === value) === true ? 2 : game.least;
}

/** Whether two players have come to a game whose rule for two is not chosen. */
const needsTwoRule = (u: Update): boolean => u.view.prompt.k === hostOf(u.view).two?.prompt;

/** The arguments that choose the rule for two, while there are two players and it is not chosen. */
export function twoRuleArgs(update: Update): Args | undefined {
  if (!needsTwoRule(update)) return undefined;
  for (const [rule, value] of hostOf(update.view).two?.rules ?? []) {
    const offer = findOffer(update.view.offers, 'switch', { name: rule });
    const param = offer?.params?.find((p) => p.domain?.includes(value));
    if (offer && param) return { ...offer.fixed, [param.name]: value };
  }
  return undefined;
}

/** The first step that the beginning waits for; none when the game can begin. */
export const nextMissing = (steps: readonly Step[]): StepId | undefined =>
  steps.find((s) => !s.done && !s.optional && BEFORE.includes(s.id))?.id;

/** The step of the game's current phase. */
export const currentStep = (update: Update): StepId | undefined => hostOf(update.view).after[update.view.phase];

/** The first tasks at a new table, before players come: finding the attached devices, and enrolling the tags of the cards. */
export type FirstTask = 'devices' | 'deck';

/**
 * The next task at a new table; enrol is the state of its enrolment (undefined: it has no reader). settable: this device may do
 * it; past are the tasks that the host has done or skipped.
 */
export function firstTask(update: Update, enrol: Pick<Enrol, 'blank'> | undefined, settable: boolean, past: readonly string[]):
  | FirstTask
  | undefined
{
  const { view } = update;
  if (view.phase !== 'lobby' || view.seats.length > 0 || (update.desk?.guests ?? []).length > 0) return undefined;
  const bare = !enrol && Object.keys(update.table.readers).length === 0;
  const what = bare && settable ? 'devices' : enrol?.blank ? 'deck' : undefined;
  return what && past.includes(what) ? undefined : what;
}

/** What is missing, in words: first the game, then guests who wait, then all the rest; empty when the game can begin. */
export function listMissing(update: Update, last?: string): { key: Key; args: Record<string, string | number> }[] {
  const { view } = update;
  if (needsGame(update, last)) return [{ key: 'host.missing.game', args: {} }];
  const game = hostOf(view);
  const waits = (update.desk?.guests ?? []).filter((g) => g.name !== '');
  if (waits.length > 0) {
    return [{ key: waits.length === 1 ? 'host.missing.guest' : 'host.missing.guests', args: { n: waits.length, name: waits[0]!.name } }];
  }
  const out: { key: Key; args: Record<string, string | number> }[] = [];
  if (update.box !== undefined && update.box.gate !== true) out.push({ key: 'host.missing.box', args: {} });
  const short = leastOf(update) - view.seats.length;
  const begin = findOffer(view.offers, 'begin') !== undefined;
  if (needsTwoRule(update)) out.push({ key: 'host.missing.two', args: {} });
  else if (short > 0 && !begin) out.push({ key: short === 1 ? 'host.missing.player' : 'host.missing.players', args: { n: short } });
  if (game.first(view) && !view.seats.some((s) => s.first) && !begin) out.push({ key: 'host.missing.first', args: {} });
  if (out.length === 0 && !begin) out.push({ key: 'host.missing.rule', args: { n: view.seats.length } });
  return out;
}

/** The host's typed names and characters for empty seats; they stay when their panel is closed. */
export interface Draft {
  names: Record<number, string>;
  figures: Record<number, string>;
}

/** A player of an earlier evening. */
export interface EarlierGuest {
  seat: number;
  name: string;
  character: string;
}

/** Reads what the browser has kept; whatever does not make sense is left out. */
export function readGuests(text: string | undefined): EarlierGuest[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(list)) return [];
    return list.filter((g: Partial<EarlierGuest> | null): g is EarlierGuest =>
      Number.isInteger(g?.seat) && typeof g?.name === 'string' && typeof g.character === 'string'
    )
      .slice(0, 10);
  } catch {
    return [];
  }
}

/** The players of the last evening at this browser. */
export const earlierGuests = browserItem('host:guests');

/** The guests with those who sit now: the newest of each seat stays. */
export function mergeGuests(guests: readonly EarlierGuest[], update: Update): EarlierGuest[] {
  const here = update.view.seats.map((s) => ({ seat: s.seat, name: s.name, character: s.character ?? '' }));
  return [...guests.filter((g) => !here.some((h) => h.seat === g.seat)), ...here].sort((a, b) => a.seat - b.seat);
}

/** Who could sit down again at one tap: guests whose seat and character are free. */
export function returningGuests(guests: readonly EarlierGuest[], seats: readonly string[], characters: readonly string[]): EarlierGuest[] {
  const taken = new Set<string>();
  return guests.filter((g) => {
    const free = seats.includes(`seat-${g.seat}`) && characters.includes(g.character) && g.name !== '' && !taken.has(g.character);
    if (free) taken.add(g.character);
    return free;
  });
}
