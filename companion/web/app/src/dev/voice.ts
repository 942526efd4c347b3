// A voice for tests: the words of the catalogues, and the names of a deck.
import type { Voice } from '../lib/voice';
import type { Names } from '../lib/wire';
import { type Lang, formatSentence, formatMsg, listNames } from '../lib/words';

/** Speaks of the players as P1, P2, … unless they have names. */
export function voiceOf(lang: Lang, names: Names, players: Readonly<Record<string, string>> = {}): Voice {
  const book = new Map(names.map((n) => [n.id as string, n]));
  const nameOf = (id: string): string =>
    book.get(id)?.text[lang] ?? (/^[^ ]+,[^ ]+$/.test(id) ? listNames(lang, id.split(',').map(label)) : id);
  const label = (id: string): string => players[id] ?? (/^seat-\d+$/.test(id) ? `P${id.slice(5)}` : nameOf(id));
  return {
    t: (key, args = {}) => formatSentence(lang, key, Object.fromEntries(Object.entries(args).map(([k, v]) => [k, String(v)])), label),
    say: (m) => formatMsg(lang, m, label),
    label,
    count: (kind) => names.filter((n) => n.kind === kind).length,
    name: (id) => book.get(id),
  };
}

/** Words with ordinary spaces. */
export const plain = (s: string): string => s.replace(/[\u00a0\u202f]/g, ' ');
