// The effect of a clue card as a sentence of three choices: the player who shows a card, or
// another kind of effect; the card; the viewers. The ids are words of the deck.
import type { Args, Name, Param } from '../lib/wire';

export interface Sentence {
  /** The player who shows a card; or the kind of effect, if it shows none. */
  does: string;
  what: string;
  to: string;
}

const SHOW = 'show';
const CHOICE = 'choice';
const WHO = new Set(['holder', 'chosen', 'next', 'all']);

/** Whether the effect makes a player show a card. */
export const makesShow = (does: string): boolean => WHO.has(does);

const domainOf = (clues: readonly Param[], name: string): readonly string[] => clues.find((p) => p.name === name)?.domain ?? [];

/** The options of the first choice: each player who can show a card, and each other kind of effect. */
export const listEffects = (clues: readonly Param[]): string[] =>
  domainOf(clues, 'kind').flatMap((k) => (k === SHOW ? domainOf(clues, 'who') : [k]));

/** The sentence of an effect. */
export const parseSentence = (does: Name['does']): Sentence => ({
  does: does?.kind === SHOW ? (does.who ?? '') : (does?.kind ?? ''),
  what: does?.what === CHOICE ? '' : (does?.what ?? ''),
  to: does?.to ?? '',
});

/** The arguments that are sent for a sentence; undefined while it is incomplete. */
export function effectArgs(s: Sentence, clues: readonly Param[]): Args | undefined {
  if (!makesShow(s.does)) return s.does === '' ? undefined : { kind: s.does };
  const what = s.does === 'holder' ? s.what : CHOICE;
  return domainOf(clues, 'what').includes(what) && domainOf(clues, 'to').includes(s.to)
    ? { kind: SHOW, who: s.does, what, to: s.to }
    : undefined;
}
