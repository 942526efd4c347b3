// Midnight as a scene (C8-133 to C8-137): the eighth Time card was drawn. The
// eighth hour strikes, the character is murdered, its cards are turned face up one after the
// other, the Time card goes back into the pile and the clock shows seven again.
//
// It is made of the public updates before and after and of the happenings between them, like the
// scene of the urn; its last moment is the new update. The light above the
// table and the phones keep the same times (wire/stage.go).

import { StageBack as BACK, StageDawn as DAWN, StageFall as FALL, StageHand as HAND, StageLaid as LAID,
  StageToll as TOLL } from '../../gen/wire';
import { HapMidnight, HapMurdered } from '../../gen/engine';
import type { Happening, Update } from '../../lib/wire';
import { type Moment, type Scene, updateAt, openCardsAt } from '../../display/moment';

/** Times of the scene, in milliseconds; the daemon states them, and lets the phones wait as long. */
export { BACK, DAWN, FALL, HAND, LAID, TOLL };

/** The scene from one update to the next, in which a seat was murdered. */
export function sceneOf(before: Update, after: Update, news: readonly Happening[]): Scene | undefined {
  const { seat, cards } = news.find((h) => h.what === HapMurdered) ?? {};
  if (before.view.case === undefined || seat === undefined) return undefined;
  return { of: 'midnight', before, after, news, cards: cards ?? [], blows: [], start: 0, length: DAWN, seat };
}

/** The moment of the scene after t milliseconds: struck is 1 during the eighth hour, turned is 1 after the murder. */
export function momentOf(scene: Scene, t: number): Moment {
  const n = scene.cards.length;
  const laid = t < HAND ? 0 : Math.min(n, 1 + Math.floor(((t - HAND) * n) / LAID));
  return { laid, blow: undefined, struck: t >= TOLL && t < BACK ? 1 : 0, turned: t >= FALL ? 1 : 0, over: t >= scene.length };
}

/** The times at which it shows something else. */
export const beats = (
  scene: Scene,
): number[] => [TOLL, FALL, ...scene.cards.map((_, i) => HAND + Math.ceil((i * LAID) / scene.cards.length)), BACK, scene.length];

/** What the table shows at a moment: the update before, and as much of the new one as has happened. */
export function staged(scene: Scene, m: Moment): Update {
  const { before: { view }, after, seat } = scene;
  const gone = after.view.seats.find((s) => s.seat === seat);
  const { hypothesis: _hypothesis, ...turn } = view.case!;
  const who = gone?.character ?? '';
  const fallen = m.turned > 0;
  return updateAt(
    scene,
    m,
    {
      ...view,
      clock: m.struck > 0 ? { ...view.clock, at: view.clock.of } : view.clock,
      shown: openCardsAt(scene, m),
      seats: view.seats.map((s) => (s.seat === seat && gone !== undefined && fallen ? gone : s)),
      places: view.places.map((p) => ({ ...p, lamp: 'open', pawns: fallen ? p.pawns.filter((s) => s !== seat) : p.pawns })),
      case: { ...turn, pawns: fallen ? turn.pawns.filter((p) => p.suspect !== who) : turn.pawns },
    },
    (h) => (h?.what === HapMidnight && m.struck + m.turned > 0) || (h?.what === HapMurdered && fallen),
  );
}
