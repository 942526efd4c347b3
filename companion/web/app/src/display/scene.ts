// The reveal as a scene. When the public view goes from the closed urn to what
// lay in it, the display does not jump to the end: the urn opens, its clues are
// laid out one after the other, each weapon that killed is named with its
// place, that place darkens and the cards of its dead turn; then the table.
//
//  1. A scene knows two public updates and nothing else: the one before, and
//     the one that is the truth now. Every moment of it is between the two.
//  2. Clues and weapons come in the order of the view (deck order, GEN-006):
//     nothing tells who put which clue in (HC-128).
//  3. The last moment is the new update itself.
//
// The light above the table and the phones keep the same times (wire/stage.go).

import { StageBreath as BREATH, StageEach as EACH, StageLaying as LAYING, StageOpening as OPENING, StageQuiet as QUIET, StageTurning as TURNING } from '../gen/wire';
import type { Line, Msg, PlaceView, SeatView, Update } from '../lib/wire';
import { beats, midnightOf, momentAt, stagedNight } from './midnight';
import type { Moment, Scene } from './moment';

/** Times of a scene, in milliseconds; the daemon states them, and lets the phones wait as long. */
export { BREATH, EACH, LAYING, OPENING, QUIET, TURNING };
export const FIRST = OPENING + LAYING; // the first weapon is named

/** The scene from one update to the next; undefined when nothing is to be staged. */
export function sceneOf(before: Update | undefined, after: Update): Scene | undefined {
  if (before === undefined || before.epoch !== after.epoch || before.view.game !== after.view.game) return undefined;
  if (after.view.case !== undefined) return midnightOf(before, after);
  if (before.view.phase !== 'reveal' || after.view.shown.length === 0) return undefined;
  const cards = [...after.view.shown];
  const dark = new Set(before.view.places.filter((p) => p.lamp === 'crime').map((p) => p.place));
  const blows = after.view.places
    .filter((p) => p.lamp === 'crime' && !dark.has(p.place))
    .map((p) => ({ weapon: p.weapon !== undefined && cards.includes(p.weapon) ? p.weapon : '', place: p.place, dead: deadAt(before, after, p.place) }));
  const open = before.view.shown.length > 0;
  if (blows.length === 0 && (open || after.view.phase === 'reveal')) return undefined;
  const start = open ? FIRST - BREATH : 0;
  return { before, after, cards, blows, start, length: FIRST + (blows.length > 0 ? blows.length * EACH : QUIET) };
}

function deadAt(before: Update, after: Update, place: string): number[] {
  const alive = new Set(after.view.seats.filter((s) => s.alive).map((s) => s.seat));
  return before.view.seats.filter((s) => s.alive && s.place === place && !alive.has(s.seat)).map((s) => s.seat);
}

/** What the scene shows after t milliseconds. */
export function momentOf(scene: Scene, t: number): Moment {
  if (scene.seat !== undefined) return momentAt(scene, t);
  const n = scene.cards.length;
  const laid = scene.start > 0 ? n : t < OPENING ? 0 : Math.min(n, 1 + Math.floor(((t - OPENING) * n) / LAYING));
  const struck = t < FIRST ? 0 : Math.min(scene.blows.length, 1 + Math.floor((t - FIRST) / EACH));
  const turned = t < FIRST + TURNING ? 0 : Math.min(scene.blows.length, 1 + Math.floor((t - FIRST - TURNING) / EACH));
  return { laid, blow: scene.blows[struck - 1], struck, turned, over: t >= scene.length };
}

/** The next time after t at which the scene shows something else. */
export function nextBeat(scene: Scene, t: number): number {
  const n = scene.cards.length;
  const all = scene.seat !== undefined ? beats(scene) : [
    ...scene.cards.map((_, i) => OPENING + Math.ceil((i * LAYING) / n)),
    ...scene.blows.flatMap((_, i) => [FIRST + i * EACH, FIRST + i * EACH + TURNING]),
    scene.length,
  ];
  return Math.min(...all.filter((b) => b > t));
}

/** What the table shows at a moment of the scene: the new update, with what is still to come held back. */
export function staged(scene: Scene, m: Moment): Update {
  if (scene.seat !== undefined) return stagedNight(scene, m);
  const { before, after } = scene;
  if (m.over) return after;
  const hushed = new Set(scene.blows.slice(m.turned).flatMap((b) => b.dead));
  const unlit = new Set(scene.blows.slice(m.struck).map((b) => b.place));
  const { result: _result, mood: _mood, ...view } = after.view;
  return {
    ...after,
    view: {
      ...view,
      ...(before.view.mood === undefined ? {} : { mood: before.view.mood }),
      phase: 'reveal',
      prompt: { k: '' },
      active: [],
      readers: [],
      urn: 0,
      shown: scene.cards.slice(0, m.laid),
      seats: after.view.seats.map((s) => seatThen(s, before, hushed)),
      places: after.view.places.map((p) => placeThen(p, before, unlit, hushed)),
      log: after.view.log.filter((l) => told(l, scene, m, hushed)),
    },
  };
}

// The living turn their cards only at the end (HC-157), so nobody's role shows
// before the scene has come to it.
function seatThen(now: SeatView, before: Update, hushed: ReadonlySet<number>): SeatView {
  const then = before.view.seats.find((s) => s.seat === now.seat);
  if (then === undefined || (!hushed.has(now.seat) && !now.alive)) return now;
  return { ...then, done: now.alive ? now.done : then.done };
}

function placeThen(now: PlaceView, before: Update, unlit: ReadonlySet<string>, hushed: ReadonlySet<number>): PlaceView {
  const then = before.view.places.find((p) => p.place === now.place);
  if (then === undefined) return now;
  if (unlit.has(now.place) || now.lamp !== 'crime') return then;
  return { ...now, cards: then.pawns.some((s) => hushed.has(s)) ? then.cards : now.cards, pawns: then.pawns.filter((s) => now.pawns.includes(s) || hushed.has(s)) };
}

// Lines about the opening are told with it, lines about a death with that death;
// whatever else the new update tells waits for the end.
function told(l: Line, scene: Scene, m: Moment, hushed: ReadonlySet<number>): boolean {
  const last = scene.before.view.log.at(-1)?.n ?? 0;
  if (l.n <= last || l.msg.k === 'hc.log.opened') return true;
  if (l.msg.k === 'hc.log.nobody-dies') return m.laid === scene.cards.length && scene.blows.length === 0;
  return /^hc\.log\.died/.test(l.msg.k) && !scene.blows.some((b) => b.dead.some((s) => hushed.has(s) && seatOf(l.msg) === `seat-${s}`));
}

const seatOf = (m: Msg): string => m.a?.['seat'] ?? '';

/** Whether b stands later in the game than a: the scene of a is over then. A phone that comes or goes is no step of the game. */
export function later(a: Update, b: Update): boolean {
  const mark = ({ epoch, view }: Update) => JSON.stringify([epoch, view.phase, view.active, view.log.at(-1)?.n ?? 0, view.shown, view.result !== undefined]);
  return mark(a) !== mark(b);
}
