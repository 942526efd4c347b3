// The contents of the table display, derived only from the public update. No
// secret can be here: the public view holds none (engine.View).

import type { Voice } from '../lib/voice';
import type { Msg, PlaceView, SeatView, Update } from '../lib/wire';
import { type Key, hasWords } from '../lib/words';
import { publicOf } from '../games/public';
import type { Headline, OpenCard } from './spoken';

/** One room of the plan, in words. */
export interface RoomView {
  id: string;
  name: string;
  note: string; // the weapon of the place, or what has happened there
  lamp: string;
  cards: number;
  pawns: number[];
}

/** One seat of the dock. */
export interface SeatCard {
  seat: number;
  name: string;
  who: string; // the character
  caption: string;
  now: boolean;
  out: boolean;
  urn: boolean; // holds the urn
  done: boolean;
  winner: boolean;
  online: boolean;
  cards: number;
  tokens: number;
  turn: boolean; // it is this seat's turn, though another may be asked
  spent: boolean; // has used its Power
}

/** The rooms, in deck order. */
export function roomViews(update: Update, voice: Voice): RoomView[] {
  return update.view.places.map((p) => ({
    id: p.place,
    name: voice.label(p.place),
    note: placeNote(p, voice),
    lamp: p.lamp,
    cards: p.cards,
    pawns: [...p.pawns],
  }));
}

function placeNote(p: PlaceView, voice: Voice): string {
  if (p.lamp === 'closed') return voice.t('ui.display.closed');
  if (p.lamp === 'crime') return voice.t('ui.display.crime');
  return p.weapon === undefined || p.weapon === '' ? '' : voice.label(p.weapon);
}

/** The plan in one sentence, for those who hear the page. */
export function planLabel(places: readonly RoomView[], voice: Voice): string {
  const parts = places.map((p) =>
    voice.t('ui.display.plan.room', {
      place: p.name,
      note: p.note,
      cards: p.cards,
      pawns: p.pawns.map((s) => voice.label(`seat-${s}`)).join(', ') || voice.t('ui.display.nobody'),
    })
  );
  return `${voice.t('ui.display.plan')} ${parts.join(' ')}`;
}

/** The seats in table order. */
export function seatCards(update: Update, voice: Voice): SeatCard[] {
  const { view, table } = update;
  const game = publicOf(view);
  const active = new Set(game.awaited(update));
  const leads = game.leads?.(update);
  const online = new Set(table.online);
  const winners = new Set(view.result?.winners);
  const over = view.result !== undefined;
  const doing = view.phase === 'lobby' ? '' : `display.done.${view.phase}`;
  return view.seats.map((s) => ({
    seat: s.seat,
    name: s.name || voice.label(`seat-${s.seat}`),
    who: s.character ? voice.label(s.character) : '',
    caption: seatCaption(s, update, doing, voice),
    now: active.has(s.seat) && s.alive && !over,
    out: (!s.alive || s.out === true) && view.phase !== 'lobby',
    urn: s.first && !over && game.urn === true,
    done: s.done && s.alive && !over,
    winner: winners.has(s.seat),
    online: online.has(s.seat),
    cards: view.phase === 'dealing' && !s.done ? 0 : s.cards, // the cards that are still to be dealt do not count
    tokens: s.tokens,
    turn: leads === s.seat && s.alive,
    spent: s.spent === true && s.alive,
  }));
}

function seatCaption(s: SeatView, update: Update, doing: string, voice: Voice): string {
  const { view, table } = update;
  if (view.result?.winners.includes(s.seat) === true) {
    return s.role
      ? voice.t('display.wins.role', { role: s.role })
      : voice.t('ui.display.wins');
  }
  if (view.phase === 'lobby') return voice.t(table.online.includes(s.seat) ? 'ui.display.joined' : 'ui.display.awaited');
  const own = publicOf(view).caption;
  if (own) return own(s, update, voice);
  if (!s.alive) return s.role ? voice.t('ui.display.dead.role', { role: s.role }) : voice.t('ui.display.dead');
  if (s.role) return voice.label(s.role);
  if (s.done && hasWords(doing)) return voice.t(doing);
  return s.character ? voice.label(s.character) : '';
}

/** The face-up cards, in the order of the view (deck order, GEN-006). */
export function openCards(ids: readonly string[], voice: Voice): OpenCard[] {
  return ids.map((id) => {
    const kind = voice.name(id)?.kind ?? '';
    return { id, kind: kind || 'clue', name: voice.label(id), of: kind === '' ? '' : kindWord(kind, voice) };
  });
}

function kindWord(kind: string, voice: Voice): string {
  const key = `ui.display.kind.${kind}`;
  return hasWords(key) ? voice.t(key) : '';
}

/** The round, or the hour, in words; before the first the lobby or the set-up. */
export const headline = (update: Update, voice: Voice): Headline => publicOf(update.view).headline(update, voice);

/** What the round clock shows, in words. */
export function clockLabel({ view }: Update, voice: Voice): string {
  const { at, of } = view.clock;
  if (at < 1) return voice.t('ui.display.clock.none');
  return of < 1 ? voice.t('ui.display.clock.free', { at }) : voice.t('ui.display.clock', { at, of });
}

/** Only two are left: the Confrontation (HC-200). */
export const duel = ({ view }: Update): boolean => view.mood === 'confrontation';

/** The name of the phase, when the catalogue has one. */
export function phaseName(update: Update, voice: Voice): string {
  if (update.view.mood === 'count') return voice.t('display.count');
  const step = publicOf(update.view).step?.(update, voice) ?? '';
  if (step !== '') return step;
  const key = [`ui.display.phase.${update.view.phase}`, `display.phase.${update.view.phase}`].find(hasWords);
  return key === undefined ? '' : voice.t(key);
}

/** What is public about the urn, in one line; empty before the first round, and where there is none. */
export const urnLine = (update: Update, voice: Voice): string => publicOf(update.view).urnLine?.(update, voice) ?? '';

/** One line of the story. */
export interface StoryLine {
  n: number;
  round: number;
  text: string;
}

/** The story, newest first; private lines of a seat are never on the display. */
export function storyLines(update: Update, voice: Voice): StoryLine[] {
  return update.view.log
    .filter((l) => l.own !== true && !isHand(l.msg))
    .map((l) => ({ n: l.n, round: l.round, text: voice.say(l.msg) }))
    .reverse();
}

// A seat's hand at the end is shown apart from the story.
const isHand = (m: Msg): boolean => /\.log\.debrief\./.test(m.k);

/** The hands that are shown after the end, if the table chose so (GEN-008). */
export function openHands({ view }: Update, voice: Voice): string[] {
  if (view.result === undefined) return [];
  const drawn = view.result.solution !== undefined; // the solution is shown above the hands: its cards are not listed again
  return view.log.filter((l) => l.own !== true && isHand(l.msg) && !(drawn && l.msg.a?.['seat'] === undefined)).map((l) =>
    voice.say(l.msg)
  );
}

/** A correction that the table is asked about (GEN-009); empty when there is none. */
export function voteLine({ vote }: Update, voice: Voice): string {
  return vote === undefined ? '' : voice.t('display.vote', { n: vote.agreed?.length ?? 0, of: vote.of?.length ?? 0 });
}

/** The seats where a second phone asks to be let in, in words. */
export const guestLines = ({ table }: Update, voice: Voice): string[] =>
  (table.asked ?? []).map((seat) => (seat === 0 ? voice.t('display.second.host') : voice.t('display.second', { seat: `seat-${seat}` })));

/** The public notice, if there is one. Private notices are never shown here. */
export function publicNotice(update: Update): { n: number; msg: Msg; again: boolean } | undefined {
  const n = update.notice;
  if (n === undefined || n.private === true || n.msg.k === '') return undefined;
  return { n: n.n, msg: n.msg, again: n.signal === 'again' };
}

const TITLE_SIGNS = /[^A-Z'. -]/g;

/** The title in signs that the drawn alphabet has. */
export function titleOf(game: string, voice: Voice): string {
  const label = voice.label(game);
  const text = label === game ? game.replaceAll('-', ' ') : label;
  return text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(TITLE_SIGNS, ' ').trim();
}

/** The letters of the longer line when a name takes two lines, of equal length as far as its words allow. */
export function widthOnTwoLines(name: string): number {
  const breaks = [...name.matchAll(/-|\s/g)].map(({ 0: at, index }) => Math.max(index + at.trim().length, name.length - index - 1));
  return Math.min(name.length, ...breaks);
}

/** The sentence that names the winners. */
export function winnerLine(winners: readonly SeatCard[], voice: Voice): string {
  if (winners.length === 0) return voice.t('ui.display.nowinner');
  const names = winners.map((w) => `seat-${w.seat}`).join();
  return voice.t(winners.length === 1 ? 'ui.display.winner' : 'ui.display.winners', { names });
}

/** The sentence for a reader that does not answer. */
export function readerKey(role: string): Key {
  const key = `ui.display.reader.${role}`;
  return hasWords(key) ? key : 'ui.display.reader.other';
}
