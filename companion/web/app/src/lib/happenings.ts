// What the pages do with each code of what happens: engine/happenings.json, as engine.HappeningKind explains it.
import all from '../../../../../engine/happenings.json';

/** A row: its form in the story and its sound. */
export interface HappeningKind {
  what: string;
  story: string;
  grave?: boolean;
  spoken?: boolean;
  sound?: string;
}

export const HAPPENINGS: readonly HappeningKind[] = all;

/** The codes of the rows that are so. */
export const codesWhere = (is: (k: HappeningKind) => boolean): ReadonlySet<string> => new Set(HAPPENINGS.filter(is).map((k) => k.what));
