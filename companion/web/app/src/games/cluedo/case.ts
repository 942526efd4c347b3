// Cards, dice and squares of a Cluedo, as a phone asks for them.
import type { Voice } from '../../lib/voice';
import type { Offer } from '../../lib/wire';

/** Kinds of cards that the envelope, the hands and the pool hold. */
export const KINDS = ['suspect', 'weapon', 'room'] as const;

export const isMystery = (voice: Pick<Voice, 'name'>, card: string): boolean =>
  (KINDS as readonly string[]).includes(voice.name(card)?.kind ?? '');

/** Reports whether the position of a pawn is given in words, not as a square of the board. */
const isInWords = (o: Offer): boolean => o.act === 'move' && (o.params ?? []).some((p) => (p.domain ?? []).includes('corridor'));

/**
 * The label key of an act with several labels, by the other acts that are offered: a drawn event card is a
 * Time card or a Butler card, where the game has both; next to a move by words, a move is by the
 * dice, and a roll lets the program count the squares. The choice that a clue card demands of the seat
 * is still to come.
 */
export function labelKey(o: Offer, all: readonly Offer[]): string {
  const beside = all.some(isInWords);
  if (o.act === 'move') return beside ? 'move-said' : '';
  if (o.act === 'roll') return beside ? 'roll-counted' : '';
  if (o.act === 'clue') return ['seat', 'named', 'to'].filter((p) => o.params?.some((q) => q.name === p)).map((p) => `clue-${p}`)[0] ?? '';
  if (o.act !== 'draw') return '';
  const time = (d: Offer) => d.act === 'draw' && d.fixed?.['kind'] !== undefined;
  const as = !(o.fixed || o.params) ? '' : time(o) ? 'draw-time' : all.some(time) ? 'draw-butler' : 'draw-card';
  return beside ? `dice-${as || 'draw'}` : as;
}

/** The faces of the dice that can be declared, lowest first; '?' draws a card. */
export function dieFaces(rolls: readonly string[]): string[] {
  return [...new Set(rolls.flatMap((r) => r.split('+')))].sort((a, b) => (a === '?' ? -1 : b === '?' ? 1 : Number(a) - Number(b)));
}

/** Two faces as the daemon writes a roll; undefined if it is none. */
export const rollOf = (rolls: readonly string[], a: string, b: string): string | undefined =>
  [`${a}+${b}`, `${b}+${a}`].find((r) => rolls.includes(r));

/** Reads a square, "column,row"; undefined if the value is none. */
export function squareOf(value: string): { c: number; r: number } | undefined {
  const m = /^(\d{1,2}),(\d{1,2})$/.exec(value);
  return m ? { c: Number(m[1]), r: Number(m[2]) } : undefined;
}

/** The windows in which each event card is played, for its face. */
export const windowKey = (card: string): string => `phone.butler.${card.replace(/^(event|butler)-/, '').replace(/-\d+$/, '')}`;

/** The id of the sign on the die's face that draws a clue card; in other decks the card-drawing face has a question mark. */
export const MAGNIFIER = 'magnifier';

/** The name of a face of a die. */
export const faceName = (voice: Pick<Voice, 'name' | 'label'>, face: string): string =>
  face === '?' && voice.name(MAGNIFIER) !== undefined ? voice.label(MAGNIFIER) : face;
