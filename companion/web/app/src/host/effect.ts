// What a clue card does, as a sentence of three choices: who shows a card, or what else happens;
// which card; who sees it. The words are those of the deck.
import type { Args, Name, Offer } from '../lib/wire';

export interface Sentence {
  /** Who shows a card; or the kind of an effect by which nobody does. */
  does: string;
  what: string;
  to: string;
}

const SHOW = 'show';
const CHOICE = 'choice';
const WHO = new Set(['holder', 'chosen', 'next', 'all']);

/** Whether somebody shows a card. */
export const shows = (does: string): boolean => WHO.has(does);

const of = (offer: Offer, name: string): readonly string[] => offer.params?.find((p) => p.name === name)?.domain ?? [];

/** The first choices: each who shows, and each other kind. */
export const effects = (offer: Offer): string[] => of(offer, 'kind').flatMap((k) => (k === SHOW ? of(offer, 'who') : [k]));

/** The sentence of an effect. */
export const sentence = (does: Name['does']): Sentence => ({
  does: does?.kind === SHOW ? (does.who ?? '') : (does?.kind ?? ''),
  what: does?.what === CHOICE ? '' : (does?.what ?? ''),
  to: does?.to ?? '',
});

/** What is sent for a sentence; nothing while it is not whole. */
export function filled(s: Sentence, offer: Offer): Args | undefined {
  if (!shows(s.does)) return s.does === '' ? undefined : { kind: s.does };
  const what = s.does === 'holder' ? s.what : CHOICE;
  return of(offer, 'what').includes(what) && of(offer, 'to').includes(s.to) ? { kind: SHOW, who: s.does, what, to: s.to } : undefined;
}
