// What a Cluedo asks of a phone. The acts are those that the daemon offers; here
// they are put so that the page shows without a finger only what everybody knows
// (GEN-002): a seat that is asked always has a card to show and "none" to say,
// and a seat that holds event cards always has them to play in their windows,
// whichever it holds. What it may not do is refused in private.
import type { Voice } from '../../lib/voice';
import type { Offer, View } from '../../lib/wire';
import { type WideParam, type Widened } from '../../lib/offers';

/** Kinds of cards that the envelope, the hands and the pool hold. */
export const KINDS = ['suspect', 'weapon', 'room'] as const;
export const EVENT = 'butler-card';

export type Deck = Voice & { ids(...kinds: string[]): string[] };
type Table = Pick<View, 'case' | 'me' | 'seats' | 'active' | 'shown' | 'gone' | 'phase'>;

export const isMystery = (voice: Pick<Voice, 'name'>, card: string): boolean => (KINDS as readonly string[]).includes(voice.name(card)?.kind ?? '');

/** The seat of this phone. */
const own = (view: Table) => view.seats.find((s) => s.seat === view.me?.seat);

/** The cards of the hypothesis that this seat is asked about now. */
export function asked(view: Table): string[] {
  const h = view.case?.hypothesis;
  const mine = h?.answers.some((a) => a.seat === view.me?.seat && a.said === 'asked') === true;
  return h && mine ? [h.suspect, h.weapon, h.room] : [];
}

/** Whether some event card could be played by this seat now, whichever it holds. */
export function eventsOpen(view: Table): boolean {
  const [me, c] = [own(view), view.case];
  if (!me || !c || view.phase !== 'turn' || me.tokens === 0 || !me.alive) return false;
  const mine = view.active.includes(me.seat);
  return c.step === 'answer' ? c.hypothesis?.answers.some((a) => a.said === 'asked') === true : mine && ['start', 'move', 'shown', 'end'].includes(c.step);
}

/** Cards of one label are one choice: that which may be chosen, else the first. */
function alike(voice: Deck, all: readonly string[], may: readonly string[]): string[] {
  const out = new Map<string, string>();
  for (const card of all) {
    const label = voice.label(card);
    const known = out.get(label);
    if (known === undefined || (!may.includes(known) && may.includes(card))) out.set(label, card);
  }
  return [...out.values()];
}

/** The offers of a Cluedo, as they are asked. */
export function fairCase(offers: readonly Offer[], view: Table, deck: Deck): Widened[] {
  const hand = view.me?.hand.map((c) => c.card) ?? [];
  const seat = own(view);
  const events = hand.filter((c) => !isMystery(deck, c));
  const cards = hand.filter((c) => isMystery(deck, c));
  const allEvents = deck.ids(EVENT).filter((c) => !view.gone.includes(c));
  const allCards = deck.ids(...KINDS).filter((c) => !view.shown.includes(c));
  const named = asked(view);

  const widen = (o: Offer, p: WideParam): WideParam => {
    const domain = p.domain ?? [];
    if (p.name !== 'card') return p.kind === 'card' || p.kind === 'value' ? { ...p, open: true } : p; // spoken aloud
    switch (o.act) {
      case 'answer':
        return { ...p, all: named.length > 0 ? named : cards.length === seat?.cards ? cards : allCards };
      case 'play':
        return { ...p, all: events.length === seat?.tokens ? events : alike(deck, allEvents, domain) };
      case 'draw':
        return { ...p, all: alike(deck, allEvents, domain) };
      case 'hold':
        return { ...p, all: [...allCards, ...alike(deck, allEvents, domain)] };
      case 'forget':
        return { ...p, all: hand };
      default:
        return { ...p, all: allCards };
    }
  };
  const out: Widened[] = [];
  const last: Widened[] = []; // Butler cards, wherever the daemon put them: the place of a key must not tell the hand
  const put = (o: Widened): void => {
    const as = o.act === 'draw' ? (o.fixed?.['kind'] ? 'draw-time' : o.fixed?.['card'] || o.params ? 'draw-butler' : '') : '';
    const once = o.act === 'power' && (o.params ?? []).length === 0; // once in the game: not by one tap
    (o.act === 'play' ? last : out).push({
      ...o,
      ...(as === '' ? {} : { as }),
      ...(once ? { grave: true } : {}),
      ...(o.params ? { params: o.params.map((p) => widen(o, p)) } : {}),
    });
  };
  const secret = (act: string, rule: string): Offer => ({ act, rule, params: [{ name: 'card', kind: 'card', domain: [] }] });
  const reply = offers.find((o) => o.act === 'answer' || o.act === 'none');
  for (const o of offers) {
    if (o === reply && named.length > 0) {
      const answers = offers.filter((a) => a.act === 'answer');
      for (const a of answers.some((a) => a.params) ? answers : [secret('answer', o.rule), ...answers]) put(a);
      put({ act: 'none', rule: offers.find((a) => a.act === 'none')?.rule ?? o.rule });
    } else if (named.length === 0 || (o.act !== 'answer' && o.act !== 'none')) put(o);
  }
  if (eventsOpen(view) && last.length === 0) put(secret('play', ''));
  return [...out, ...last];
}

/** The faces of the dice that can be declared, lowest first; '?' draws a card. */
export function dieFaces(rolls: readonly string[]): string[] {
  return [...new Set(rolls.flatMap((r) => r.split('+')))].sort((a, b) => (a === '?' ? -1 : b === '?' ? 1 : Number(a) - Number(b)));
}

/** Two faces as the daemon writes a roll; undefined if it is none. */
export const rollOf = (rolls: readonly string[], a: string, b: string): string | undefined => [`${a}+${b}`, `${b}+${a}`].find((r) => rolls.includes(r));

/** A square "column,row"; undefined for what is none. */
export function squareOf(value: string): { c: number; r: number } | undefined {
  const m = /^(\d{1,2}),(\d{1,2})$/.exec(value);
  return m ? { c: Number(m[1]), r: Number(m[2]) } : undefined;
}

/** The windows in which each event card is played, for its face. */
export const windowKey = (card: string): string => `phone.butler.${card.replace(/^(event|butler)-/, '').replace(/-\d+$/, '')}`;
