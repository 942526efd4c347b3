// What a scene is made of, whichever game it belongs to (scene.ts, midnight.ts).
import type { Happening, Update } from '../lib/wire';

/** A weapon that killed, its place and those who died there. */
export interface Blow {
  weapon: string; // empty when the deck names none
  place: string;
  dead: number[];
}

/** A staged reveal. */
export interface Scene {
  before: Update;
  after: Update;
  news: readonly Happening[]; // what happened between them
  cards: string[];
  blows: Blow[];
  start: number; // ms; later than 0 where the clues were named one by one (GEN-024)
  length: number; // ms
  seat?: number; // it is midnight for this seat (midnight.ts)
}

/** What a scene shows at one moment. */
export interface Moment {
  laid: number; // clues that lie there
  blow: Blow | undefined; // the weapon that is named
  struck: number; // places that have darkened
  turned: number; // of these, how many show the roles of their dead
  over: boolean;
}
