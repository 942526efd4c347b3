// The verdict on an accusation as a scene (C8-110 to C8-114): the three names are said, the
// envelope opens, and either its cards are shown one after the other, or it closes again and
// keeps them.
//
//  1. Until then a right accusation and a wrong one look the same: the same picture, for the
//     same time. If the accuser has looked into the envelope, the table has heard the names
//     already, and the scene begins as the envelope opens (C8-112).
//  2. Of a wrong accusation only the names said aloud are shown. The public update contains neither
//     the cards that were named rightly, nor anything that the accuser may learn (SC-094).
//  3. Its last moment is the new update. The light above the table and the phones keep
//     the same times (wire/stage.go).

import { StageCard as CARD, StageMistake as MISTAKE, StageName as NAME, StageNaming as NAMING, StageProof as PROOF, StageRight as RIGHT,
  StageSeal as SEAL, StageSolved as SOLVED } from '../../gen/wire';
import { HapAccused, HapAmended, HapCalled, HapOver, HapProven, HapTurn, HapWrong } from '../../gen/engine';
import type { Happening, Update } from '../../lib/wire';
import { type Moment, type Scene, updateAt, openCardsAt } from '../../display/moment';

/** Times of the scene, in milliseconds; the daemon states them, and lets the phones wait as long. */
export { CARD, MISTAKE, NAME, NAMING, PROOF, RIGHT, SEAL, SOLVED };

/** What may follow a verdict in the same step; anything else has come later, and the scene is missed. */
const AFTER: readonly string[] = [HapOver, HapTurn, HapAmended, HapCalled];

/** The scene from one update to the next, in which an accusation was judged. */
export function sceneOf(before: Update, after: Update, news: readonly Happening[]): Scene | undefined {
  const judged = news.findIndex((h) => h.what === HapProven || h.what === HapWrong);
  const { what, seat, cards } = news[judged] ?? {};
  if (before.view.case === undefined || seat === undefined || news.slice(judged + 1).some((h) => !AFTER.includes(h.what))) return undefined;
  const now = news.find((h) => h.what === HapAccused);
  const said = now ?? [...before.view.happened].reverse().find((h) => h.what === HapAccused);
  const right = what === HapProven;
  return {
    of: 'verdict',
    before,
    after,
    news,
    blows: [],
    cards: cards ?? [],
    said: said?.cards ?? [],
    start: now === undefined ? SEAL : 0,
    length: right ? SOLVED : MISTAKE,
    seat,
    right,
  };
}

/** Begun, one after the other: three from a time on, each so much later. */
const countBegun = (t: number, from: number, each: number): number => (t < from ? 0 : Math.min(3, 1 + Math.floor((t - from) / each)));

/** What it shows after t milliseconds. */
export const momentOf = ({ right, cards, length }: Scene, t: number): Moment => ({
  struck: countBegun(t, NAMING, NAME),
  opened: t >= SEAL,
  laid: right === true ? Math.min(cards.length, countBegun(t, PROOF, CARD)) : 0,
  turned: t >= (right === true ? RIGHT : PROOF) ? 1 : 0,
  blow: undefined,
  over: t >= length,
});

/** The times at which it shows something else. */
export const beats = ({ right, length }: Scene): number[] => [
  ...[0, 1, 2].map((i) => NAMING + i * NAME),
  SEAL,
  ...(right === true ? [0, 1, 2].map((i) => PROOF + i * CARD) : [PROOF]),
  ...(right === true ? [RIGHT] : []),
  length,
];

/** What the table shows at a moment: the update before, and as much of the new one as is known by then. */
export function staged(scene: Scene, m: Moment): Update {
  const { before: { view }, after, seat } = scene;
  const out = after.view.seats.find((s) => s.seat === seat)?.out === true && m.turned > 0;
  return updateAt(
    scene,
    m,
    {
      ...view,
      shown: openCardsAt(scene, m),
      seats: view.seats.map((s) => (s.seat === seat && out ? { ...s, out } : s)),
      places: view.places.map((p) => ({ ...p, lamp: 'open' })),
      case: { ...view.case!, step: 'verdict' },
    },
    (h) => h?.what === HapAccused || (h?.what === HapWrong && m.turned > 0),
  );
}
