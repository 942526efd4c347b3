// The note sheet: the marks of a player, by card and by player. The sheet
// deduces nothing (GEN-007): it ticks only the cards of this hand and those
// that this seat was shown; all other marks are the player's own.
//
// On its way the sheet is text: "1" and two bits for each field, row by row, then
// "." and the last changes, so that they can be undone after a reload and on
// another phone. 40 cards and 10 columns with 30 changes are below 350 bytes;
// the daemon stores the text and does not read it.
import type { Own, SeatView } from '../lib/wire';

export type Mark = 0 | 1 | 2 | 3; // blank, no, maybe, yes
export const MARKS = ['blank', 'no', 'maybe', 'yes'] as const;

/** Columns: one for each other seat, in table order, and the envelope. */
export const ENVELOPE = 0;
export const noteColumns = (seats: readonly Pick<SeatView, 'seat'>[],
  me: number): number[] => [...seats.map((s) => s.seat).filter((s) => s !== me), ENVELOPE];

/** One change: a field by card and column, and what stood there. */
interface Step {
  row: number;
  col: number;
  was: Mark;
}

/** A sheet is never changed: every change gives another. */
export interface Sheet {
  readonly marks: ReadonlyMap<number, Mark>; // field -> mark, without blanks
  readonly past: readonly Step[]; // newest last
}

export const BLANK: Sheet = { marks: new Map(), past: [] };

const COLS = 11; // the envelope and ten seats
const ROWS = 64;
const PAST = 30;
const fieldIndex = (row: number, col: number): number => row * COLS + col;

export const markAt = (sheet: Sheet, row: number, col: number): Mark => sheet.marks.get(fieldIndex(row, col)) ?? 0;

function putMark(marks: ReadonlyMap<number, Mark>, row: number, col: number, mark: Mark): Map<number, Mark> {
  const out = new Map(marks);
  if (mark === 0) out.delete(fieldIndex(row, col));
  else out.set(fieldIndex(row, col), mark);
  return out;
}

export function setMark(sheet: Sheet, row: number, col: number, mark: Mark): Sheet {
  const was = markAt(sheet, row, col);
  if (was === mark) return sheet;
  return { marks: putMark(sheet.marks, row, col, mark), past: [...sheet.past, { row, col, was }].slice(-PAST) };
}

/** Fields with their new marks. */
export type Fields = ReadonlyMap<number, Mark>;

/** What is different on the second sheet. */
export function changedFields(from: Sheet, to: Sheet): Map<number, Mark> {
  const out = new Map<number, Mark>();
  for (const at of [...from.marks.keys(), ...to.marks.keys()]) {
    const mark = to.marks.get(at) ?? 0;
    if (mark !== (from.marks.get(at) ?? 0)) out.set(at, mark);
  }
  return out;
}

/** The sheet with these fields changed, each a change that can be undone. */
export const applyFields = (sheet: Sheet, fields: Fields): Sheet =>
  [...fields].reduce((s, [at, mark]) => setMark(s, Math.floor(at / COLS), at % COLS, mark), sheet);

/** The next of the four states. */
export const cycleMark = (sheet: Sheet, row: number, col: number): Sheet =>
  setMark(sheet, row, col, ((markAt(sheet, row, col) + 1) % 4) as Mark);

/** Takes the last change back. */
export function undoMark(sheet: Sheet): Sheet {
  const last = sheet.past[sheet.past.length - 1];
  return last ? { marks: putMark(sheet.marks, last.row, last.col, last.was), past: sheet.past.slice(0, -1) } : sheet;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const digit = (n: number): string => ALPHABET[n & 63] ?? 'A';

/** The sheet as text; '' for a blank one. */
export function formatSheet(sheet: Sheet): string {
  if (sheet.marks.size === 0 && sheet.past.length === 0) return '';
  let end = 0;
  for (const at of sheet.marks.keys()) end = Math.max(end, at + 1);
  let out = '1';
  for (let i = 0; i < end; i += 3) {
    const three = [0, 1, 2].map((k) => sheet.marks.get(i + k) ?? 0);
    out += digit((three[0] ?? 0) | ((three[1] ?? 0) << 2) | ((three[2] ?? 0) << 4));
  }
  const past = sheet.past.map((s) => digit(s.row) + digit(s.col | (s.was << 4))).join('');
  return past === '' ? out : `${out}.${past}`;
}

/** Reads what write gave; what it does not understand is a blank sheet. */
export function parseSheet(text: string): Sheet {
  const m = /^1([\w-]*)(?:\.((?:[\w-]{2})*))?$/.exec(text);
  if (!m) return BLANK;
  const marks = new Map<number, Mark>();
  [...(m[1] ?? '')].forEach((c, i) => {
    const n = ALPHABET.indexOf(c);
    for (const k of [0, 1, 2]) {
      const mark = ((n >> (2 * k)) & 3) as Mark;
      if (mark !== 0 && i * 3 + k < ROWS * COLS) marks.set(i * 3 + k, mark);
    }
  });
  const past: Step[] = [];
  const text2 = m[2] ?? '';
  for (let i = 0; i < text2.length; i += 2) {
    const [row, rest] = [ALPHABET.indexOf(text2[i] ?? 'A'), ALPHABET.indexOf(text2[i + 1] ?? 'A')];
    if ((rest & 15) < COLS) past.push({ row, col: rest & 15, was: (rest >> 4) as Mark });
  }
  return { marks, past };
}

/** Why a card is ticked automatically: it is mine, or all players or this seat have seen it; in which seats' hands. */
export interface Tick {
  mine: boolean;
  open: boolean; // seen in the pool or by all
  with: readonly number[]; // shown by these seats
}

export function shownTicks(me: Pick<Own, 'hand' | 'seen'>, shown: readonly string[]): ReadonlyMap<string, Tick> {
  const out = new Map<string, Tick>();
  const put = (card: string, more: Partial<Tick>): void => {
    const t = out.get(card) ?? { mine: false, open: false, with: [] };
    out.set(card, { ...t, ...more });
  };
  for (const c of shown) put(c, { open: true });
  for (const s of me.seen) {
    for (const c of s.cards) {
      if (s.how === 'there') put(c, { open: true });
      else if (s.other !== undefined && s.other !== 0) put(c, { with: [...(out.get(c)?.with ?? []), s.other] });
    }
  }
  for (const c of me.hand) put(c.card, { mine: true });
  return out;
}
