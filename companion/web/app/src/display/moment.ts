// What a scene is made of, whichever game it belongs to (scene.ts, midnight.ts, verdict.ts).
import type { Happening, Update } from '../lib/wire';

/** A weapon that killed, its place and those who died there. */
export interface Blow {
  weapon: string; // empty when the deck names none
  place: string;
  dead: number[];
}

/** A staged reveal. */
export interface Scene {
  of: 'urn' | 'midnight' | 'verdict';
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
