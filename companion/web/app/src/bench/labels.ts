// The names of the spots and cards of the simulated table.
import type { HTMLAnchorAttributes } from 'svelte/elements';
import type { BenchCard } from '../gen/wire';
import type { Voice } from '../lib/voice';
import { type Lang, hasWords, addSpaces } from '../lib/words';
import { SPOT, seatOfHand } from './drop';
import type { Guide } from './step';

/** The name of a spot: a hand, a place, or a thing of the table. */
export function spotName(words: Pick<Voice, 't' | 'label' | 'count'>, spot: string): string {
  const seat = seatOfHand(spot);
  if (seat !== undefined) return words.t('ui.bench.spot.hand', { name: `seat-${seat}` });
  const key = `ui.bench.spot.${spot === SPOT.pile && words.count('clue-card') > 0 ? 'clues' : spot}`;
  return hasWords(key) ? words.t(key) : words.label(spot);
}

/** The next step in words. */
export const stepLine = (words: Pick<Voice, 't' | 'label' | 'count'>, { key, args, spots = {} }: Guide): string =>
  words.t(key, { ...args, ...Object.fromEntries(Object.entries(spots).map(([name, spot]) => [name, spotName(words, spot)])) });

/** The public name of a card: its own if it is face up, that of its back otherwise. */
export function cardName(words: Pick<Voice, 't' | 'label'>, lang: Lang, card: BenchCard): string {
  if (card.up || card.kind === 'foreign') return addSpaces(lang, card.name[lang]);
  return words.t(card.kind === 'role-card' ? 'ui.bench.card.role' : 'ui.bench.card.down');
}

/** The attributes of a link to another page of the daemon, in its own tab; without an address while the daemon does not answer. */
export const pageLink = (live: boolean, href: string): HTMLAnchorAttributes =>
  live ? { href, target: '_blank', rel: 'noopener' } : { role: 'link', 'aria-disabled': true };
