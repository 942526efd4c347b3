// The contents of the table display for a Cluedo, derived from the public update
// only: whose turn, which step, the hypothesis and its answers, the hours.
//
// 1. Nothing here shows which seats could interrupt: while other cards may follow
//    a shown one (GEN-005), no seat is marked.
// 2. Cards are named only where they are face up, or were named aloud.

import { MAGNIFIER, faceName } from './case';
import { isCurrent } from './current';
import { StepNeighbour } from '../../gen/engine';
import type { Voice } from '../../lib/voice';
import type { Plan, SeatView, Update } from '../../lib/wire';
import { type Key, hasWords } from '../../lib/words';
import type { Headline, OpenCard } from '../../display/spoken';

/** A pawn on the plan: of a seat, or of a character that no player has. */
export interface Figure {
  suspect: string;
  name: string;
  seat: number; // 0: no seat's
  letters: string; // for a pawn without a seat
  at: string; // room or pool; empty outside
  square: string; // "column,row" outside, where known
}

/** One room of the plan, in words. */
export interface Chamber {
  id: string;
  name: string;
  note: string; // where its secret passage leads
  lamp: string;
  cards: number; // face down in the pool
  figures: Figure[];
  tokens: { weapon: string; name: string }[];
}

/** The plan of the house, if the names bring one. */
export const planOf = (update: Update, voice: Voice): Plan | undefined => voice.name(update.view.game)?.plan;

/** The place without a card: the pool. */
export const poolOf = ({ view }: Update, voice: Voice): string =>
  view.places.find((p) => voice.name(p.place)?.kind === 'pool')?.place ?? '';

/**
 * Short names for pawns without a seat, all different: the first two letters of the family
 * name, and if others begin with them too (Leblanc, Legris), the first letter in which it differs.
 */
export function shortNames(names: readonly string[]): string[] {
  const plain = (s: string): string => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const families = names.map((n) => n.split(' ').at(-1) ?? '');
  return families.map((family, i) => {
    const others = families.filter((f, j) => j !== i && plain(f).startsWith(plain(family.slice(0, 2)))).map(plain);
    if (others.length === 0) return family.slice(0, 2);
    const at = [...family].findIndex((c, k) => k > 1 && others.every((o) => o[k] !== plain(c)));
    return family.slice(0, 2) + (at < 0 ? String(i + 1) : family[at]!);
  });
}

/** The pawns that are on the board. */
export function listFigures(update: Update, voice: Voice): Figure[] {
  const { view } = update;
  const starts = planOf(update, voice)?.starts ?? {};
  const pawns = view.case?.pawns ?? [];
  const short = shortNames(pawns.map((p) => voice.label(p.suspect)));
  return pawns.flatMap((p, i) => {
    if (p.gone === true) return [];
    const seat = view.seats.find((s) => s.character === p.suspect);
    const name = voice.label(p.suspect);
    return {
      suspect: p.suspect,
      name: seat === undefined ? name : seat.name || voice.label(`seat-${seat.seat}`),
      seat: seat?.seat ?? 0,
      letters: short[i]!,
      at: p.at ?? '',
      square: p.square === 'start' ? starts[p.suspect] ?? '' : p.square ?? '',
    };
  });
}

/** The rooms and the pool, in deck order. */
export function listChambers(update: Update, voice: Voice): Chamber[] {
  const { view } = update;
  const passages = planOf(update, voice)?.passages ?? {};
  const all = listFigures(update, voice);
  return view.places.map((p) => ({
    id: p.place,
    name: voice.label(p.place),
    note: passages[p.place] === undefined ? '' : voice.t('display.passage', { room: passages[p.place]! }),
    lamp: p.lamp,
    cards: p.cards,
    figures: all.filter((f) => f.at === p.place),
    tokens: (view.case?.tokens ?? []).filter((t) => t.at === p.place).map((t) => ({ weapon: t.weapon, name: voice.label(t.weapon) })),
  }));
}

/** The plan in words, for those who hear the page. */
export function boardLabel(rooms: readonly Chamber[], outside: readonly Figure[], voice: Voice): string {
  const list = (names: string[]) => names.join(', ') || voice.t('ui.display.nobody');
  const parts = rooms.map((r) =>
    voice.t('display.board.room', {
      place: r.name,
      pawns: list(r.figures.map((f) => f.name)),
      weapons: r.tokens.map((t) => t.name).join(', ') || '–',
    })
  );
  if (outside.length > 0) parts.push(voice.t('display.board.outside', { pawns: list(outside.map((f) => f.name)) }));
  return [voice.t('ui.display.plan'), ...parts].join(' ');
}

const SETTING_UP: Partial<Record<string, Key>> = { lobby: 'ui.display.lobby', dealing: 'display.setup', starting: 'display.setup' };

/** Whether the nights of this deck have hours: whether there are Time cards. */
export const hasHours = (voice: Pick<Voice, 'count'>): boolean => voice.count('time-card') > 0;

/** The hours of the night: one for each Time card (C8-132). */
export function nightHours({ view }: Update, voice: Voice): Headline {
  const { at, of, open } = view.clock;
  if (of < 1) return { title: voice.t(SETTING_UP[view.phase] ?? 'display.phase.turn'), under: '' };
  return {
    title: at < 1 ? voice.t('display.hour.none') : voice.t('display.hour', { at, of }),
    under: open ? voice.t('display.hour.last') : '',
  };
}

/** The name of the step, above the plan. */
export function stepName({ view }: Update, voice: Voice): string {
  const key = `display.step.${view.case?.step ?? ''}`;
  return view.phase === 'turn' && hasWords(key) ? voice.t(key) : '';
}

const STAGES = [['start'], ['draw', 'clue', 'reveal', 'move', 'spy'], ['look', 'act', 'verdict'], ['displaced', 'answer', 'shown', 'amend'],
  [
    'neighbour',
    'end',
  ]];

/** The present stage of the turn, from 1; 0 outside a turn. */
export const stageOf = (
  { view }: Update,
): number => (view.phase === 'turn' ? STAGES.findIndex((s) => s.includes(view.case?.step ?? '')) + 1 : 0);
export const STAGE_COUNT = STAGES.length;

/** The seat whose turn it is, even while others are asked; 0 if none. */
export const turnOf = ({ view }: Update): number => (view.phase === 'turn' && view.result === undefined ? view.case?.turn ?? 0 : 0);

/** The seats to be marked as awaited: none while any seat may interrupt. */
export const awaitedSeats = (
  { view }: Update,
): readonly number[] => (view.case?.step === 'shown' && view.phase === 'turn' ? [] : view.active);

/** The numbers of cards in the pile and in the pool; '' in a game without Time cards. */
export function pileLine({ view }: Update, voice: Voice): string {
  if (view.case === undefined || view.phase !== 'turn' || view.clock.of < 1) return '';
  return voice.t('display.pile', { pile: view.case.pile, pool: view.case.pool });
}

/** The roll of this turn. */
export interface Roll {
  faces: number[]; // 0: the face that draws a card
  glass: boolean; // which bears a magnifier
  label: string;
  points: string; // what may still be walked; empty when nothing
  way: string; // another way of moving
}

export function rollOf({ view }: Update, voice: Voice): Roll | undefined {
  const c = view.case;
  if (c === undefined || view.phase !== 'turn' || view.result !== undefined) return undefined;
  const key = `display.way.${c.way ?? ''}`;
  const way = c.way !== 'dice' && hasWords(key) ? voice.t(key) : '';
  if (c.dice.length === 0 && way === '') return undefined;
  const faces = [...c.dice];
  return {
    faces,
    glass: voice.name(MAGNIFIER) !== undefined,
    label: voice.t('display.dice', { dice: faces.map((f) => faceName(voice, f === 0 ? '?' : String(f))).join(' + ') }),
    points: c.step === 'move' ? voice.t('display.points', { n: c.points }) : '',
    way,
  };
}

/** What was said aloud and how it was answered. */
export interface Said {
  title: string;
  current: boolean; // of this turn
  parts: { kind: string; id: string; name: string }[];
  answers: { seat: number; name: string; said: string; text: string }[];
  window: string; // others may still interrupt; never who
}

export function hypothesisOf(update: Update, voice: Voice): Said | undefined {
  const { view } = update;
  const c = view.case;
  if (c?.hypothesis === undefined || view.phase !== 'turn') return undefined;
  const h = c.hypothesis;
  const current = isCurrent(view);
  const name = (seat: number) => view.seats.find((s) => s.seat === seat)?.name || voice.label(`seat-${seat}`);
  const open = current && (c.step === 'answer' || c.step === 'shown');
  return {
    title: voice.t(current ? 'display.hypothesis' : 'ui.hypothesis.last', { seat: `seat-${h.by}` }),
    current,
    parts: [
      { kind: 'suspect', id: h.suspect, name: voice.label(h.suspect) },
      { kind: 'weapon', id: h.weapon, name: voice.label(h.weapon) },
      { kind: 'room', id: h.room, name: voice.label(h.room) },
    ],
    answers: h.answers.map((a) => ({ seat: a.seat, name: name(a.seat), said: a.said, text: answerText(a.said, voice) })),
    window: open && view.clock.of > 0 ? voice.t('display.window') : '', // no Time cards, no others
  };
}

function answerText(said: string, voice: Voice): string {
  const key = `display.answer.${said}`;
  return hasWords(key) ? voice.t(key) : '';
}

/** The line under a name in the dock. */
export function seatLine(s: SeatView, update: Update, voice: Voice): string {
  if (!s.alive) return voice.t('ui.display.dead');
  if (s.out === true) return voice.t('display.wrong');
  if (awaitedSeats(update).includes(s.seat) && ['answer', 'amend', 'reveal'].includes(update.view.case?.step ?? '')) {
    return voice.t('display.asked');
  }
  if (awaitedSeats(update).includes(s.seat) && update.view.case?.step === StepNeighbour) return voice.t('display.shows');
  if (turnOf(update) === s.seat) return voice.t('display.leads');
  return s.character ? voice.label(s.character) : '';
}

/** The three cards that were right, by name. */
export const solutionCards = ({ view }: Update, voice: Voice): OpenCard[] =>
  (view.result?.solution ?? []).map((id) => ({ kind: voice.name(id)?.kind ?? '', id, name: voice.label(id), of: '' }));

/** The cards of the murdered, by name, without those of the solution. */
export function murderedCards(update: Update, voice: Voice): string[] {
  const known = new Set(solutionCards(update, voice).map((c) => c.id));
  return update.view.shown.filter((id) => !known.has(id)).map((id) => voice.label(id));
}
