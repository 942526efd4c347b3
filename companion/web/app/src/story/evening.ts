// The story of an evening, from the public happenings (engine.Chronicle): chapter by
// chapter the moves, the questions, the deaths. No sentence is read and no two views are
// compared: the same list always gives the same story.
//
// A chapter is a round, or in a game without rounds the time in which each seat has had one
// turn. Each of its rows is about the acts of one seat in a place, or about the whole table.
import { HapAccused, HapAsked, HapClue, HapCrime, HapDied, HapKilled, HapMoved, HapMurdered, HapNamed, HapNone, HapOpened, HapRevived,
  HapRound, HapShown, HapStruck, HapTaken, HapTurn, HapTurned } from '../gen/engine';
import { codesWhere } from '../lib/happenings';
import type { Happening } from '../lib/wire';

/** A sentence of the story (story.*.json, under say.) and the values of its blanks. */
export interface Said {
  key: string;
  args: Readonly<Record<string, string>>;
  dead?: Said[]; // of a crime: its victims, which the same sentence names
}

/** The acts of a seat in a place; of seat 0, the events that concern the whole table. */
export interface Row {
  seat: number;
  place: string; // '' if none
  said: Said[];
}

/** The place of a murder and the seats that died there. */
export interface Crime {
  place: string;
  dead: number[];
}

export interface Chapter {
  n: number; // 0 before the first chapter
  rows: Row[];
  at: ReadonlyMap<number, string>; // the place of each seat's pawn at its end
  crimes: readonly Crime[]; // of the evening up to its end
}

/** A turning point of the evening. */
export interface Moment {
  n: number; // number of its chapter
  row: Row;
  said: Said[]; // its sentences in that row
}

export interface Evening {
  laps: boolean; // the game has no rounds: a chapter is one turn of each seat
  chapters: Chapter[];
  moments: Moment[];
  paths: ReadonlyMap<number, readonly string[]>; // the places of each seat, one after the other
  dead: ReadonlySet<number>;
  cut: boolean; // the beginning is missing
}

/** Codes without a sentence. */
export const SILENT = codesWhere((k) => k.story === 'silent');

/** Acts of the seat of a row: their sentences do not name the seat. */
const DEEDS = codesWhere((k) => k.story === 'deed');

/** Events that concern the whole table. */
const FATES = codesWhere((k) => k.story === 'fate');

/** Consequences of an act, in the same row. */
const SEQUELS = codesWhere((k) => k.story === 'sequel');

const GRAVE = codesWhere((k) => k.grave === true);

/** The story of these happenings, oldest first. */
export function buildEvening(happened: readonly Happening[]): Evening {
  const teller = new Teller(happened);
  happened.forEach((h) => teller.take(h));
  return teller.end();
}

class Teller {
  readonly #laps: boolean;
  readonly #turns: boolean;
  readonly #cut: boolean;
  readonly #chapters: { n: number; rows: Row[]; at: Map<number, string>; crimes: Crime[] }[] = [];
  readonly #at = new Map<number, string>();
  readonly #paths = new Map<number, string[]>();
  readonly #moments: Moment[] = [];
  readonly #dead = new Set<number>();
  readonly #turned = new Set<number>(); // seats that have had a turn in this chapter
  #crimes: Crime[] = [];
  #hour = 0;

  constructor(happened: readonly Happening[]) {
    const has = (what: string): boolean => happened.some((h) => h.what === what);
    this.#turns = has(HapTurn);
    this.#laps = this.#turns && !has(HapRound);
    this.#cut = (happened[0]?.n ?? 1) > 1;
    this.#open(this.#turns || has(HapRound) ? 0 : 1);
  }

  take(h: Happening): void {
    if (h.what === HapRound) this.#next();
    else if (h.what === HapTurn) this.#turn(h.seat ?? 0);
    else if (h.what === HapMoved) this.#move(h.seat ?? 0, h.place ?? '');
    else if (DEEDS.has(h.what)) this.#say(this.#row(h.seat ?? 0), h);
    else if (FATES.has(h.what)) this.#say(this.#row(0), h);
    else if (SEQUELS.has(h.what)) this.#say(this.#chapter.rows.at(-1) ?? this.#row(0), h);
  }

  end(): Evening {
    this.#close();
    const chapters = this.#chapters.filter((c) => c.n > 0 || c.rows.length > 0);
    return { laps: this.#laps, chapters, moments: this.#moments, paths: this.#paths, dead: this.#dead, cut: this.#cut };
  }

  get #chapter() {
    return this.#chapters.at(-1)!;
  }

  #open(n: number): void {
    this.#chapters.push({ n, rows: [], at: new Map(), crimes: [] });
    this.#turned.clear();
  }

  #close(): void {
    const c = this.#chapter;
    c.at = new Map(this.#at);
    c.crimes = this.#crimes.map((x) => ({ place: x.place, dead: [...x.dead] }));
    c.rows = c.rows.filter((r) => r.said.length > 0 || r.place !== '');
  }

  #next(): void {
    this.#close();
    this.#open(this.#chapter.n + 1);
  }

  #turn(seat: number): void {
    if (this.#laps && (this.#chapter.n === 0 || this.#turned.has(seat))) this.#next();
    this.#turned.add(seat);
    this.#chapter.rows.push({ seat, place: this.#at.get(seat) ?? '', said: [] });
  }

  #move(seat: number, place: string): void {
    if (place === '') this.#at.delete(seat);
    else if (!this.#dead.has(seat)) this.#at.set(seat, place);
    const path = this.#paths.get(seat) ?? [];
    if (place !== '' && path.at(-1) !== place) this.#paths.set(seat, [...path, place]);
    const row = this.#chapter.rows.at(-1);
    if (this.#turns) {
      if (row?.seat === seat) row.place = place;
    } else this.#chapter.rows.push({ seat, place, said: [] });
  }

  /** The last row if it belongs to this seat, else a new one. */
  #row(seat: number): Row {
    const last = this.#chapter.rows.at(-1);
    if (last?.seat === seat) return last;
    const row: Row = { seat, place: '', said: [] };
    this.#chapter.rows.push(row);
    return row;
  }

  #say(row: Row, h: Happening): void {
    this.#befall(h);
    if (h.what === HapTaken && this.#chapter.n === 0) return; // the first pick
    const last = row.said.at(-1);
    if (last !== undefined && addVictim(last, h)) return;
    const said = this.#sentence(h);
    const list = h.what === HapNone ? 'seats' : h.what === HapNamed ? 'cards' : undefined;
    if (list !== undefined && last?.key === said.key) {
      row.said[row.said.length - 1] = { key: said.key, args: { ...last.args, [list]: `${last.args[list]},${said.args[list]}` } };
      return;
    }
    row.said.push(said);
    if (!GRAVE.has(h.what)) return;
    const moment = this.#moments.at(-1);
    if (moment?.row === row) moment.said.push(said);
    else this.#moments.push({ n: this.#chapter.n, row, said: [said] });
  }

  /** Records deaths, revivals, places of crimes and the hours that have struck. */
  #befall(h: Happening): void {
    const seat = h.seat ?? 0;
    if (h.what === HapCrime) this.#crimes = [...this.#crimes, { place: h.place ?? '', dead: [] }];
    if (h.what === HapStruck) this.#hour++;
    if (h.what === HapRevived) {
      this.#dead.delete(seat);
      if (h.place) this.#at.set(seat, h.place);
    }
    if (![HapDied, HapMurdered, HapKilled].includes(h.what)) return;
    this.#dead.add(seat);
    const place = h.place ?? this.#at.get(seat) ?? '';
    this.#at.delete(seat);
    if (place === '') return;
    const crime = this.#crimes.filter((c) => c.place === place).at(-1) ?? { place, dead: [] };
    if (!this.#crimes.includes(crime)) this.#crimes = [...this.#crimes, crime];
    crime.dead.push(seat);
  }

  #sentence(h: Happening): Said {
    const cards = h.cards ?? [];
    const args: Record<string, string> = {};
    if (h.seat !== undefined) args['seat'] = args['seats'] = `seat-${h.seat}`;
    if (h.other !== undefined) args['other'] = `seat-${h.other}`;
    if (h.place !== undefined) args['place'] = h.place;
    if (h.what === HapStruck) args['n'] = String(this.#hour);
    if ([HapAsked, HapAccused].includes(h.what) && h.other === undefined) {
      [args['suspect'], args['weapon'], args['room']] = cards as [string, string, string];
    } else if (cards.length > 0) args['cards'] = cards.join();
    return { key: `${h.what}${sentenceForm(h)}`, args };
  }
}

/** Adds to the sentence of a crime who died there, or the card that a victim turns up; false if h is neither. */
function addVictim(crime: Said, h: Happening): boolean {
  if (!crime.key.startsWith(HapCrime)) return false;
  const dead = (crime.dead ??= []);
  const args: Record<string, string> = { seat: `seat-${h.seat}`, ...h.cards === undefined ? {} : { cards: h.cards.join() } };
  const at = dead.findIndex((v) => v.args['seat'] === args['seat']);
  if (h.what === HapTurned && at >= 0 && h.cards !== undefined) dead[at] = { key: 'victim.cards', args };
  else if (h.what === HapDied && h.place === crime.args['place']) {
    dead.push({ key: h.cards === undefined ? 'victim' : 'victim.cards', args });
    crime.key = dead.length === 1 ? 'crime.one' : 'crime.many';
  } else return false;
  return true;
}

/** The variant of a code's sentence: some say more when cards are named. */
function sentenceForm(h: Happening): string {
  const named = (h.cards ?? []).length > 0;
  switch (h.what) {
    case HapAccused:
      return h.other !== undefined ? '.seat' : named ? '' : '.secret';
    case HapShown:
      return h.other !== undefined ? '' : named ? '.cards' : '.all';
    case HapOpened:
    case HapClue:
    case HapDied:
    case HapMurdered:
      return named ? '.cards' : '';
  }
  return '';
}
