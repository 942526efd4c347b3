// The figures of the games of this table, added up for its host. Bars are plain HTML: a library for a dozen
// of them would be larger than the rest of this page.
import type { Figures, GameFigures, StaffShare } from '../lib/wire';
import { compareNames } from '../lib/names';
import type { Lang } from '../lib/words';

/** One line of a plot. */
export interface Bar {
  id: string;
  n: number;
}

export interface Sums {
  games: number;
  played: number; // mean duration of a game, in milliseconds
  hints: number; // mean number in a game
  reset: number; // mean duration of a reset, in milliseconds; 0: there was none
  time: number; // number of games that the countdown has ended
}

/** The number of newest resets that count for the cost of a card. */
export const RESETS = 100;

const mean = (all: readonly number[]): number => (all.length === 0 ? 0 : all.reduce((a, b) => a + b, 0) / all.length);

export function sumGames(all: readonly GameFigures[]): Sums {
  return {
    games: all.length,
    played: mean(all.map((g) => g.played)),
    hints: mean(all.map((g) => g.hints)),
    reset: mean(all.flatMap((g) => (g.reset ? [g.reset.took] : []))),
    time: all.filter((g) => g.end === 'time').length,
  };
}

function addByKey(pairs: Iterable<readonly [string, number]>): Map<string, number> {
  const sum = new Map<string, number>();
  for (const [id, n] of pairs) sum.set(id, (sum.get(id) ?? 0) + n);
  return sum;
}

const toBars = (sum: Map<string, number>): Bar[] => [...sum].map(([id, n]) => ({ id, n }));

/** Games a month, the newest first; a month is 2026-11. */
export const countByMonth = (all: readonly GameFigures[]): Bar[] =>
  toBars(addByKey(all.map((g) => {
    const d = new Date(g.began * 1000);
    return [`${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, '0')}`, 1] as const;
  })));

/** The figures of a person with an account. */
export interface Operator {
  name: string;
  groups: number;
  played: number; // mean duration of a group's game, in milliseconds
  hints: number;
  overruled: number;
}

/** The name of the person who has run a group: the one who has signed the game, or else the one who has begun it. */
export const ranBy = (g: GameFigures): string => (g.staff?.find((s) => s.signed) ?? g.staff?.find((s) => s.began))?.name ?? '';

/** The figures of each person, the one with the most groups first. */
export function sumByOperator(all: readonly GameFigures[]): Operator[] {
  const shares = all.flatMap((g) => g.staff ?? []);
  return [...new Set(shares.map((s) => s.name))].map((name) => {
    const own = all.filter((g) => ranBy(g) === name);
    const did = shares.filter((s) => s.name === name);
    const sum = (of: (s: (typeof did)[number]) => number | undefined): number => did.reduce((n, s) => n + (of(s) ?? 0), 0);
    return {
      name,
      groups: own.length,
      played: mean(own.map((g) => g.played)),
      hints: sum((s) => s.hints),
      overruled: sum((s) => s.overruled),
    };
  }).sort((a, b) => b.groups - a.groups || compareNames(a.name, b.name));
}

/** The mean time in each phase, over the games that have it; the id is GAME/PHASE, because games share names of phases. */
export function meanPhases(all: readonly GameFigures[]): Bar[] {
  const each = all.flatMap((g) => (g.phases ?? []).map((p) => ({ id: `${g.game}/${p.phase}`, took: p.took })));
  const times = addByKey(each.map((p) => [p.id, 1] as const));
  return toBars(addByKey(each.map((p) => [p.id, p.took] as const))).map((b) => ({ id: b.id, n: b.n / (times.get(b.id) ?? 1) }));
}

/** How often each prepared hint was given, the most given first; '' counts those in the host's own words. */
export function countHints(all: readonly GameFigures[]): Bar[] {
  const sum = addByKey(all.flatMap((g) => Object.entries(g.fromStock ?? {})));
  const own = all.reduce((n, g) => n + g.hints - Object.values(g.fromStock ?? {}).reduce((a, b) => a + b, 0), 0);
  if (own > 0) sum.set('', own);
  return toBars(sum).sort((a, b) => b.n - a.n);
}

/** A card: its total cost for the room (n), the mean time until it was back, and how often it stayed missing. */
export interface Costly extends Bar {
  game: string;
  card: string;
  mean: number;
  never: number;
}

/** The cards with the highest cost in the newest resets. */
export function costlyCards(all: readonly GameFigures[], most: number): Costly[] {
  const of = new Map<string, Costly & { at: number[] }>();
  for (const g of all.filter((x) => x.reset).slice(0, RESETS)) {
    for (const c of g.reset!.cards ?? []) {
      const id = `${g.game}/${c.card}`;
      const one = of.get(id) ?? { id, game: g.game, card: c.card, n: 0, mean: 0, never: 0, at: [] };
      one.n += c.cost;
      if (g.reset!.missing?.includes(c.card)) one.never++;
      else one.at.push(c.at);
      of.set(id, one);
    }
  }
  return [...of.values()].map(({ at, ...c }) => ({ ...c, mean: mean(at) })).filter((c) => c.n > 0).sort((a, b) => b.n - a.n).slice(0, most);
}

/** The name of a card; its id if it has none. */
export const cardName = (f: Figures, game: string, card: string, lang: Lang): string => f.labels?.[game]?.[card]?.[lang] ?? card;

/** A field of CSV. A text that a spreadsheet would take for a formula gets an apostrophe first. */
function csvField(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Each name with its number, without zeros. */
const by = (g: GameFigures, of: (s: StaffShare) => number | undefined): string =>
  (g.staff ?? []).flatMap((s) => ((of(s) ?? 0) > 0 ? [`${s.name} ${of(s)}`] : [])).join(' / ');

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** All games as RFC 4180 has them, the oldest first; times in seconds. */
export function formatCSV(all: readonly GameFigures[]): string {
  const head = [
    'n',
    'date',
    'time',
    'game',
    'team',
    'players',
    'winners',
    'end',
    'played_s',
    'hints',
    'countdown_s',
    'left_s',
    'overruled',
    'reset_s',
    'missing',
    'signed',
    'begun_by',
    'signed_by',
    'hints_by',
    'overruled_by',
  ];
  const s = (ms: number | undefined): number | string => (ms === undefined ? '' : Math.round(ms / 1000));
  const rows = [...all].reverse().map((g) => {
    const d = new Date(g.began * 1000);
    return [
      g.n,
      `${d.getFullYear()}-${twoDigits(d.getMonth() + 1)}-${twoDigits(d.getDate())}`,
      `${twoDigits(d.getHours())}:${twoDigits(d.getMinutes())}`,
      g.game,
      g.team ?? '',
      (g.players ?? []).join(' / '),
      (g.winners ?? []).join(' / '),
      g.end,
      s(g.played),
      g.hints,
      s(g.of),
      s(g.of === undefined ? undefined : g.left ?? 0),
      g.overruled,
      s(g.reset?.took),
      (g.reset?.missing ?? []).join(' '),
      g.sign ?? '',
      g.staff?.find((s) => s.began)?.name ?? '',
      g.staff?.find((s) => s.signed)?.name ?? '',
      by(g, (s) => s.hints),
      by(g, (s) => s.overruled),
    ];
  });
  return `\uFEFF${[head, ...rows].map((row) => row.map(csvField).join(',')).join('\r\n')}\r\n`;
}
