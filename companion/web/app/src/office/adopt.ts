// A box of one's own, typed or pasted: for each kind of card a list of names, one a line, French and English
// with = between or one for both. Errors are shown while it is typed; the table checks once more.
import { fitsBytes } from '../host/model';

/** An error in a line (from 1), or in the number of lines (0). */
export interface Fault {
  line: number;
  what: 'few' | 'many' | 'long' | 'twice' | 'empty';
}

/** One name in each language. */
export interface Names {
  fr: string;
  en: string;
}

export interface Reading {
  /** In the order of the lines that are not empty. */
  names: Names[];
  faults: Fault[];
}

/** The most lines that are read: the largest kind of a box has fewer. */
const MAX_LINES = 200;

/** Reads a list of so many cards, each name of at most max bytes. An empty one changes nothing. */
export function readNames(text: string, of: number, max: number): Reading {
  const names: Names[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const lines = text.split('\n', MAX_LINES);
  lines.forEach((raw, i) => {
    // A bullet or a number before a name is not part of the name.
    const line = raw.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, '');
    if (line === '') return;
    const [first = '', second] = line.split(/\s*[=\t]\s*/, 2);
    const fr = first.trim();
    const en = second === undefined ? fr : second.trim();
    const fault = (what: Fault['what']): void => void faults.push({ line: i + 1, what });
    if (fr === '' || en === '') fault('empty');
    else if (!fitsBytes(fr, max) || !fitsBytes(en, max)) fault('long');
    else if (seen.has(fr.toLowerCase())) fault('twice');
    seen.add(fr.toLowerCase());
    names.push({ fr, en });
  });
  if (names.length > 0 && names.length !== of) faults.push({ line: 0, what: names.length < of ? 'few' : 'many' });
  return { names, faults };
}

/** The text that is sent to the table: a line for each thing, its id and its two names. */
export const namesText = (ids: readonly string[], names: readonly Names[]): string =>
  ids.map((id, i) => `${id}\t${names[i]!.fr}\t${names[i]!.en}\n`).join('');
