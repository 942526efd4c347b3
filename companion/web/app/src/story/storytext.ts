// The story of an evening in words, for a page, a picture and a saved page.
import { toRoman } from '../deco/geometry';
import { formatLength } from '../lib/length';
import type { Voice } from '../lib/voice';
import type { Story, View } from '../lib/wire';
import { type Chapter, type Crime, type Moment, type Said, buildEvening } from './evening';
import type { Say } from './words';

/** The acts of a seat in a place; of seat 0, the events that concern the whole table. */
export interface ToldRow {
  seat: number;
  name: string;
  place: string;
  text: string;
}

export interface ToldChapter {
  title: string;
  short: string;
  rows: ToldRow[];
  at: ReadonlyMap<string, readonly number[]>; // seats in each place at its end
  dead: ReadonlyMap<string, readonly number[]>; // seats that have died in each place so far
}

/** A superlative of the front page. */
export interface Honour {
  seats: readonly number[];
  title: string;
  names: string;
  text: string;
}

/** What the front page has besides the outcome. */
export interface Front {
  name: string; // of the newspaper
  short: string;
  minute: string; // of the fatal happening, in words
  what: string; // what happened then
  house: ToldChapter; // where everybody stood then
  plan: string; // what the plan shows
  honours: readonly Honour[];
  company: string; // the title of the guests
  guests: readonly { seat: number; name: string; role: string; dead: boolean }[];
}

export interface Told {
  title: string;
  front: Front;
  game: string;
  outcome: string;
  team: string; // the name of the group, as the host has written it
  figures: string; // duration, hints, time left
  winners: readonly number[];
  solution: string;
  whole: ToldChapter; // the whole evening: its rows are the turning points
  chapters: ToldChapter[];
  paths: ToldRow[];
  held: ToldRow[]; // the hands; only with the debrief (GEN-008)
  note: string; // says that the beginning is missing
}

type Seen = Pick<View, 'game' | 'seats' | 'result'>;

/** Puts a story into words. */
export function composeStory(story: Story, view: Seen, voice: Voice, say: Say): Told {
  const evening = buildEvening(story.happened);
  const name = (seat: number): string => (seat === 0 ? '' : voice.label(`seat-${seat}`));
  const sentence = ({ key, args, dead = [] }: Said): string =>
    say(`say.${key}`, args).replace('{dead}', () => dead.map(sentence).join(', '));
  const told = (m: Moment): string => [name(m.row.seat), m.said.map(sentence).join(' ')].filter((s) => s !== '').join('. ');
  const chapter = (c: Chapter): ToldChapter => ({
    title: c.n === 0 ? say('before') : say(evening.laps ? 'lap' : 'chapter', { n: String(c.n) }),
    short: c.n === 0 ? '·' : toRoman(c.n),
    rows: c.rows.map((r) => ({
      seat: r.seat,
      name: name(r.seat),
      place: r.place === '' ? '' : voice.label(r.place),
      text: r.said.map(sentence).join(' '),
    })),
    at: inPlaces([...c.at]),
    dead: diedIn(c.crimes),
  });
  const chapters = evening.chapters.map(chapter);
  const shorts = new Map(evening.chapters.map((c, i) => [c.n, chapters[i]!.short]));
  const fatal = story.fatal === undefined ? undefined : buildEvening(story.happened.filter((h) => h.n <= story.fatal!));
  const last = fatal?.moments.at(-1);
  const counted = (key: string, n: number, at: number): string => {
    const args = { n: String(n), at: String(at) };
    const one = say(`${key}.one`, args);
    return n === 1 && one !== `${key}.one` ? one : say(key, args);
  };
  const front: Front = {
    name: say('front.name'),
    short: say('front.short'),
    minute: last === undefined ? say('front.end') : say('front.minute', { n: String(Math.floor((story.fatalAt ?? 0) / 60_000) + 1) }),
    what: last === undefined ? '' : told(last),
    house: chapter((last === undefined ? evening : fatal!).chapters.at(-1) ?? { n: 0, rows: [], at: new Map(), crimes: [] }),
    plan: say(last === undefined ? 'plan.whole' : 'front.plan'),
    honours: (story.superlatives ?? []).map(({ what, seats, n, at }) => ({
      seats,
      title: say(`sup.${what}`),
      names: voice.label(seats.map((seat) => `seat-${seat}`).join()),
      text: counted(`sup.${what}.n`, n, at ?? 0),
    })),
    company: say('front.company'),
    guests: view.seats.map((s) => ({
      seat: s.seat,
      name: name(s.seat),
      role: s.role !== undefined ? voice.label(s.role) : s.character === undefined ? '' : voice.label(s.character),
      dead: !s.alive,
    })),
  };
  return {
    title: say('title'),
    front,
    game: voice.label(view.game),
    team: story.evening.team ?? '',
    figures: [
      say('played', { n: formatLength(story.evening.played) }),
      ...(story.evening.hints > 0 ? [say('hints', { n: String(story.evening.hints) })] : []),
      ...(story.evening.of === undefined ? [] : [say('left', { n: formatLength(story.evening.left ?? 0) })]),
    ].join('\u2002·\u2002'),
    outcome: view.result ? voice.say(view.result.msg) : '',
    winners: view.result?.winners ?? [],
    solution: (view.result?.solution ?? []).map(voice.label).join('\u00a0· '),
    whole: {
      title: say('whole'),
      short: say('whole'),
      rows: evening.moments.map((m) => ({
        seat: m.row.seat,
        name: name(m.row.seat),
        place: shorts.get(m.n) ?? '',
        text: m.said.map(sentence).join(' '),
      })),
      at: chapters.at(-1)?.at ?? new Map(),
      dead: chapters.at(-1)?.dead ?? new Map(),
    },
    chapters,
    paths: view.seats.flatMap(({ seat }) => {
      const places = evening.paths.get(seat) ?? [];
      const end = evening.dead.has(seat) ? ' †' : '';
      return places.length === 0 ? [] : [{ seat, name: name(seat), place: '', text: places.map(voice.label).join(' → ') + end }];
    }),
    held: story.held.map(({ seat, cards }) => ({ seat, name: name(seat), place: '', text: cards.map(voice.label).join('\u00a0· ') })),
    note: evening.cut ? say('cut') : '',
  };
}

/** Today, as a newspaper writes it. */
export const dateOf = (lang: string): string => new Date().toLocaleDateString(lang, { dateStyle: 'long' });

/** The accessible name of a chapter's key, which shows the short name. */
export const chapterLabel = ({ short, title }: ToldChapter): string => (short === title ? title : `${short}, ${title}`);

function inPlaces(stand: readonly (readonly [seat: number, place: string])[]): Map<string, number[]> {
  const all = new Map<string, number[]>();
  for (const [seat, place] of stand) all.set(place, [...(all.get(place) ?? []), seat]);
  for (const seats of all.values()) seats.sort((a, b) => a - b);
  return all;
}

const diedIn = (crimes: readonly Crime[]): Map<string, number[]> => {
  const all = new Map<string, number[]>();
  for (const c of crimes) all.set(c.place, [...(all.get(c.place) ?? []), ...c.dead]);
  return all;
};

const COLUMNS = 2; // on one page of the display
const ROWS = 2; // of three lines each, in a column
const LONG = 130; // letters that fit in three lines

/** Distributes the rows of a chapter evenly over pages of the display; a row longer than three lines has a column of its own. */
export function splitIntoPages(rows: readonly ToldRow[]): ToldRow[][] {
  const long = (r: ToldRow): boolean => r.name.length + r.place.length + r.text.length > LONG;
  if (!rows.some(long)) {
    const parts = Math.max(1, Math.ceil(rows.length / (COLUMNS * ROWS)));
    const each = Math.ceil(rows.length / parts);
    return Array.from({ length: parts }, (_, i) => rows.slice(i * each, (i + 1) * each));
  }
  const columns: ToldRow[][] = [];
  for (const row of rows) {
    const last = columns.at(-1);
    if (last === undefined || last.length === ROWS || long(row) || last.some(long)) columns.push([row]);
    else last.push(row);
  }
  return Array.from({ length: Math.ceil(columns.length / COLUMNS) }, (_, i) => columns.slice(i * COLUMNS, (i + 1) * COLUMNS).flat());
}
