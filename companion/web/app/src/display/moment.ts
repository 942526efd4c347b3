// What a scene is made of, whichever game it belongs to (scene.ts, midnight.ts, verdict.ts).
import { happeningOf } from '../lib/happened';
import type { Happening, Update } from '../lib/wire';

/** A weapon that killed, its place and those who died there. */
export interface Blow {
  weapon: string; // empty when the deck names none
  place: string;
  dead: number[];
}

/** A staged reveal. */
export interface Scene {
  of: string; // 'urn', or one of games/scenes.ts
  before: Update;
  after: Update;
  news: readonly Happening[]; // what happened between them
  cards: string[];
  blows: Blow[];
  start: number; // ms; later than 0 where the clues were named one by one (GEN-024), or where who accused has looked (C8-112)
  length: number; // ms
  seat?: number; // it is midnight for this seat, or it has accused
  said?: readonly string[]; // the accused cards; empty if they were not said aloud (SC-092)
  right?: boolean; // and that was right
}

/** What a scene shows at one moment. */
export interface Moment {
  laid: number; // cards on the table so far
  blow: Blow | undefined; // the weapon that is named
  struck: number; // places that have darkened; names that were said
  turned: number; // places that show the roles of their dead; in other scenes 1: a seat has died, a verdict is known
  opened?: boolean; // the envelope is open
  over: boolean;
}

/**
 * The update that the table shows at a moment of a scene: the new one, without what is still to
 * come. No seat is active, no end is shown; of the new lines it has those whose happening has been
 * shown. At the end of the scene it is the new update itself.
 */
export function updateAt({ before, after, news }: Scene, { over }: Moment, view: Update['view'],
  tells: (h: Happening | undefined) => boolean): Update
{
  if (over) return after;
  const { result: _result, ...rest } = view;
  const last = before.view.log.at(-1)?.n ?? 0;
  return {
    ...after,
    view: {
      ...rest,
      prompt: { k: '' },
      active: [],
      readers: [],
      log: after.view.log.filter((l) => l.n <= last || tells(happeningOf(l, news))),
    },
  };
}

/** The open cards at a moment: those from before, and those of the scene so far. */
export function openCardsAt({ before, after, cards }: Scene, { laid }: Moment): string[] {
  const here = new Set([...before.view.shown, ...cards.slice(0, laid)]);
  return after.view.shown.filter((c) => here.has(c));
}
