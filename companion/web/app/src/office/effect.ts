// What a clue card does, as a sentence of three choices: who shows a card, or what else happens;
// which card; who sees it. The words are those of the deck.
import type { Args, Name, Param } from '../lib/wire';

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

const of = (clues: readonly Param[], name: string): readonly string[] => clues.find((p) => p.name === name)?.domain ?? [];

/** The first choices: each who shows, and each other kind. */
export const effects = (clues: readonly Param[]): string[] => of(clues, 'kind').flatMap((k) => (k === SHOW ? of(clues, 'who') : [k]));

/** The sentence of an effect. */
export const sentence = (does: Name['does']): Sentence => ({
  does: does?.kind === SHOW ? (does.who ?? '') : (does?.kind ?? ''),
  what: does?.what === CHOICE ? '' : (does?.what ?? ''),
  to: does?.to ?? '',
});

/** What is sent for a sentence; nothing while it is not whole. */
export function filled(s: Sentence, clues: readonly Param[]): Args | undefined {
  if (!shows(s.does)) return s.does === '' ? undefined : { kind: s.does };
  const what = s.does === 'holder' ? s.what : CHOICE;
  return of(clues, 'what').includes(what) && of(clues, 'to').includes(s.to) ? { kind: SHOW, who: s.does, what, to: s.to } : undefined;
}
