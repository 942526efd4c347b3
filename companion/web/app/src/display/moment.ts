// What a scene is made of, whichever game it belongs to (scene.ts, midnight.ts, verdict.ts).
import { toldBy } from '../lib/happened';
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
  said?: readonly string[]; // what it accused; nothing where nobody heard it (SC-092)
  right?: boolean; // and that was right
}

/** What a scene shows at one moment. */
export interface Moment {
  laid: number; // cards that lie there
  blow: Blow | undefined; // the weapon that is named
  struck: number; // places that have darkened; names that were said
  turned: number; // of these places, how many show the roles of their dead; 1: a seat has fallen, a verdict is told
  opened?: boolean; // the envelope is open
  over: boolean;
}

/**
 * What the table shows at a moment of a scene: the new update, with a view that holds back what is
 * still to come. Nobody is waited for, no end is told; of the new lines there are those whose
 * happening is told, and at its end the new update itself.
 */
export function held({ before, after, news }: Scene, { over }: Moment, view: Update['view'], tells: (h: Happening | undefined) => boolean): Update {
  if (over) return after;
  const { result: _result, ...rest } = view;
  const last = before.view.log.at(-1)?.n ?? 0;
  return {
    ...after,
    view: { ...rest, prompt: { k: '' }, active: [], readers: [], log: after.view.log.filter((l) => l.n <= last || tells(toldBy(l, news))) },
  };
}

/** The open cards at a moment: those that lay there before, and those of the scene that lie there by now. */
export function openAt({ before, after, cards }: Scene, { laid }: Moment): string[] {
  const here = new Set([...before.view.shown, ...cards.slice(0, laid)]);
  return after.view.shown.filter((c) => here.has(c));
}
