// The reveal as a scene. When the urn is opened, the display does not jump to the
// end: its clues are shown one after the other, each weapon that killed is named
// with its place, that place darkens and the cards of its dead turn; then the table.
//
//  1. A scene is made of two public updates, the previous one and the present one, and
//     of the happenings between them. Every moment of it is between the two.
//  2. Clues and weapons come in deck order (GEN-006): nothing shows which seat put which
//     clue in (HC-128).
//  3. The last moment is the new update.
//
// The light above the table and the phones keep the same times (wire/stage.go).

import { StageBreath as BREATH, StageEach as EACH, StageLaying as LAYING, StageOpening as OPENING, StageQuiet as QUIET,
  StageTurning as TURNING } from '../gen/wire';
import { HapCrime, HapDied, HapOpened, HapSpared } from '../gen/engine';
import { lastHappening, happenedSince } from '../lib/happened';
import type { Happening, PlaceView, SeatView, Update } from '../lib/wire';
import { scenes } from '../games/scenes';
import { type Blow, type Moment, type Scene, updateAt } from './moment';

/** Times of a scene, in milliseconds; the daemon states them, and lets the phones wait as long. */
export { BREATH, EACH, LAYING, OPENING, QUIET, TURNING };
export const FIRST = OPENING + LAYING; // the first weapon is named

/** The scene from one update to the next; undefined when nothing is to be staged. */
export function sceneOf(before: Update | undefined, after: Update): Scene | undefined {
  if (before === undefined || before.epoch !== after.epoch) return undefined;
  const news = happenedSince(before.view, after.view);
  for (const { sceneOf: of } of Object.values(scenes)) {
    const scene = of(before, after, news);
    if (scene !== undefined) return scene;
  }
  const opened = news.find((h) => h.what === HapOpened)?.cards; // none where its clues are named one by one (GEN-024)
  const blows = blowsOf(news, after.view.places);
  if (opened === undefined && blows.length === 0) return undefined;
  const { shown } = after.view;
  if (shown.length === 0 || opened?.some((c) => !shown.includes(c)) === true) return undefined; // missed, and the game has gone on
  return {
    of: 'urn',
    before,
    after,
    news,
    blows,
    cards: opened ?? shown,
    start: opened === undefined ? FIRST - BREATH : 0,
    length: FIRST + (blows.length > 0 ? blows.length * EACH : QUIET),
  };
}

const blowsOf = (news: readonly Happening[], places: readonly PlaceView[]): Blow[] =>
  places.flatMap(({ place }) =>
    news
      .filter((h) => h.what === HapCrime && h.place === place)
      .map((h) => ({
        weapon: h.cards?.[0] ?? '',
        place,
        dead: news.flatMap((d) => (d.what === HapDied && d.place === place && d.seat !== undefined ? [d.seat] : [])),
      }))
  );

/** What the scene shows after t milliseconds. */
export function momentOf(scene: Scene, t: number): Moment {
  if (scene.of !== 'urn') return scenes[scene.of]!.momentOf(scene, t);
  const n = scene.cards.length;
  const laid = scene.start > 0 ? n : t < OPENING ? 0 : Math.min(n, 1 + Math.floor(((t - OPENING) * n) / LAYING));
  const struck = t < FIRST ? 0 : Math.min(scene.blows.length, 1 + Math.floor((t - FIRST) / EACH));
  const turned = t < FIRST + TURNING ? 0 : Math.min(scene.blows.length, 1 + Math.floor((t - FIRST - TURNING) / EACH));
  return { laid, blow: scene.blows[struck - 1], struck, turned, over: t >= scene.length };
}

/** The next time after t at which the scene shows something else. */
export function nextBeat(scene: Scene, t: number): number {
  const n = scene.cards.length;
  const all = scene.of !== 'urn' ? scenes[scene.of]!.beats(scene) : [
    ...scene.cards.map((_, i) => OPENING + Math.ceil((i * LAYING) / n)),
    ...scene.blows.flatMap((_, i) => [FIRST + i * EACH, FIRST + i * EACH + TURNING]),
    scene.length,
  ];
  return Math.min(...all.filter((b) => b > t));
}

/** What the table shows at a moment of the scene: the new update, with what is still to come held back. */
export function staged(scene: Scene, m: Moment): Update {
  if (scene.of !== 'urn') return scenes[scene.of]!.staged(scene, m);
  const { before, after, blows, cards } = scene;
  const hushed = new Set(blows.slice(m.turned).flatMap((b) => b.dead));
  const unlit = new Set(blows.slice(m.struck).map((b) => b.place));
  const { mood: _mood, ...view } = after.view;
  return updateAt(
    scene,
    m,
    {
      ...view,
      ...(before.view.mood === undefined ? {} : { mood: before.view.mood }),
      phase: 'reveal',
      urn: 0,
      shown: cards.slice(0, m.laid),
      seats: after.view.seats.map((s) => seatThen(s, before, hushed)),
      places: after.view.places.map((p) => placeThen(p, before, unlit, hushed)),
    },
    // Lines about the opening appear with it, lines about a death with that death;
    // all other lines of the new update wait for the end.
    (h) =>
      h?.what === HapOpened || (h?.what === HapSpared && m.laid === cards.length && blows.length === 0)
      || (h?.what === HapDied && !hushed.has(h.seat ?? 0)),
  );
}

// The living turn their cards only at the end (HC-157), so no role shows
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
  return {
    ...now,
    cards: then.pawns.some((s) => hushed.has(s)) ? then.cards : now.cards,
    pawns: then.pawns.filter((s) => now.pawns.includes(s) || hushed.has(s)),
  };
}

/** Whether b has other happenings than a (more, or some undone): the scene of a is over then. Phones that come or go do not count. */
export const hasOtherHappenings = (a: Update, b: Update): boolean =>
  a.epoch !== b.epoch || a.view.game !== b.view.game || lastHappening(a.view) !== lastHappening(b.view);
