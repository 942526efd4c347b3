// The story of a game as this seat has heard it, and of a Cluedo the hypotheses
// with their answers: from the lines of the story, the public ones and its own, and nothing else. A
// view carries the last lines only, so the page keeps those it has seen; over a
// reload it keeps the public ones, and of its own that there was one. What was
// shown to this seat stands in Me.seen, which the daemon keeps.
//
// The lines of one viewer are numbered without holes: where numbers are missing,
// this phone was dark, and no answer after the hole is put to a hypothesis before it.
import type { Box } from '../lib/storage';
import type { Line, Msg } from '../lib/wire';

/** Lines that are kept: a long evening has some four hundred. */
const MOST = 600;

/** Answers to an earlier hypothesis that are put right (GEN-E10): they stand apart from the one of this turn. */
const AMENDS: ReadonlySet<string> = new Set(['cl.log.amend', 'cl.log.upheld']);

/** One hypothesis, or a correction, which names no cards. */
export interface Heard {
  n: number; // of its line
  round: number;
  by: string; // "seat-2"
  names: string[]; // suspect, weapon, room; none for a correction
  answers: Msg[]; // what each seat said, in order; public
  own: { n: number; msg: Msg }[]; // what was shown to or by this seat
}

const ANSWERS: ReadonlySet<string> = new Set(['cl.log.none', 'cl.log.shown', 'cl.log.shown-to', 'cl.log.unrefuted', 'cl.log.hushed', 'cl.log.saw']);
const OWN: ReadonlySet<string> = new Set(['cl.log.shown.own', 'cl.log.showed.own']);
/** A line of this seat's own of which the page keeps its number alone. */
const BLANK = '';
export const isBlank = (l: Line): boolean => l.msg.k === BLANK;
/** After these, what is shown is no answer to a hypothesis. */
const ENDS: ReadonlySet<string> = new Set(['cl.log.turn', 'cl.log.neighbour', 'cl.log.accused', 'cl.log.replay']);

/** Lines that this phone has not heard stand before line n. */
export interface Missed {
  missed: number;
}

/** Newest first. */
export function hypotheses(lines: readonly Line[]): (Heard | Missed)[] {
  const out: (Heard | Missed)[] = [];
  let now: Heard | undefined;
  let last = lines[0]?.round === 0 ? lines[0].n - 1 : 0; // no hypothesis is made before the first turn
  for (const { n, round, msg, own } of lines) {
    const a = msg.a ?? {};
    if (n > last + 1) {
      now = undefined;
      out.unshift({ missed: n });
    }
    last = n;
    if (msg.k === 'cl.log.hypothesis') {
      now = { n, round, by: a['seat'] ?? '', names: [a['suspect'] ?? '', a['weapon'] ?? '', a['room'] ?? ''], answers: [], own: [] };
      out.unshift(now);
    } else if (!own && AMENDS.has(msg.k)) {
      now = { n, round, by: a['seat'] ?? '', names: [], answers: [msg], own: [] };
      out.unshift(now);
    } else if (ENDS.has(msg.k)) now = undefined;
    else if (now && own && OWN.has(msg.k)) now.own.push({ n, msg });
    else if (now && !own && ANSWERS.has(msg.k)) now.answers.push(msg);
  }
  return out;
}

/**
 * The lines known so far and those of a new view. A line that contradicts what
 * is known is of another game; lines above the newest have been taken back.
 */
export function merge(known: readonly Line[], now: readonly Line[]): Line[] {
  const last = now[now.length - 1]?.n;
  if (last === undefined) return [];
  const fresh = new Set(now.map((l) => l.n)); // a dead seat is told the turns of the story alone, with holes between
  const told = new Map(known.filter((l) => !isBlank(l)).map((l) => [l.n, JSON.stringify(l.msg)]));
  const other = now.some((l) => told.has(l.n) && told.get(l.n) !== JSON.stringify(l.msg));
  return [...(other ? [] : known.filter((l) => l.n < last && !fresh.has(l.n))), ...now].sort((a, b) => a.n - b.n).slice(-MOST);
}

/** Reads and keeps the lines; what was told to this seat alone is left out. */
export const recall = (box: Box): Line[] => {
  try {
    const lines: unknown = JSON.parse(box.get() ?? '[]');
    return Array.isArray(lines) ? (lines as Line[]) : [];
  } catch {
    return [];
  }
};
export const keep = (box: Box, lines: readonly Line[]): void => box.set(JSON.stringify(lines.map((l) => (l.own ? { ...l, msg: { k: BLANK } } : l))));
