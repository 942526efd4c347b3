// All texts that people read are in engine/words, one file per language, and one for each
// family of games: the daemon and the pages share them. A key that only one language has does
// not compile. Each language is a chunk of its own: a page loads the one it
// speaks before it shows anything, the other on demand. Texts that only
// the other pages use are in a chunk that phones do not load.
import type en from '../../../../../engine/words/en.json';
import type fr from '../../../../../engine/words/fr.json';
import type { Msg } from './wire';

export type Lang = 'fr' | 'en';
export const LANGS: readonly Lang[] = ['fr', 'en'];

/** What the pages of each family of games say: its folder adds its own. */
export interface Families {
  plain: never;
}

/** A key that the catalogues of both languages know. */
export type Key = keyof typeof fr & keyof typeof en | Families[keyof Families];

/**
 * Puts the spaces of French print, as package words does: a whole unbreakable one before a colon and inside
 * quotation marks, a narrow one before the other high signs; a figure stays with what it counts, in English with its
 * “no.”. The files are written with ordinary spaces.
 */
export const addSpaces = (lang: Lang, s: string): string =>
  lang === 'fr'
    ? s
      .replace(/ ([:»])|(«) /g, '$2\u00a0$1')
      .replace(/ ([;?!])/g, '\u202f$1')
      .replace(/(n°|Tour|Place|Carte|Lieu) ([{\d])/g, '$1\u00a0$2')
      .replace(/([}\d]) (min|minutes|s|cases|pas)($|[^\p{L}’])/gu, '$1\u00a0$2$3')
    : s.replace(/(no\.) ([{\d])/g, '$1\u00a0$2');

type Book = Record<string, string>;
type Part = () => Promise<{ default: Book }>;
const common: Record<Lang, Part> = {
  fr: () => import('../../../../../engine/words/fr.json?phone'),
  en: () => import('../../../../../engine/words/en.json?phone'),
};
const rooms: Record<Lang, Part> = {
  fr: () => import('../../../../../engine/words/fr.json?rooms'),
  en: () => import('../../../../../engine/words/en.json?rooms'),
};
const later: Record<Lang, Part> = {
  fr: () => import('../../../../../engine/words/fr.json?later'),
  en: () => import('../../../../../engine/words/en.json?later'),
};
let used = [common];
let isWhole = false; // nothing more is awaited
const books: Partial<Record<Lang, Book>> = {};

/** Whether the words of a language are there. */
export const hasLanguage = (lang: Lang): boolean => books[lang] !== undefined;

/** Declares that this page is no phone: from now on learn loads the words of all rooms. */
export function loadAllRooms(): void {
  used = [common, later, rooms];
  isWhole = true;
}

/** Loads what a phone does not need to begin, in the languages that are there, and from now on with each. */
export async function loadLaterWords(): Promise<void> {
  if (isWhole) return;
  used = [common, later];
  await Promise.all(LANGS.filter(hasLanguage).map(async (lang) => Object.assign(books[lang]!, (await later[lang]()).default)));
  isWhole = true;
}

/** Loads the words of a language. Rejects when the daemon does not answer. */
export async function loadWords(lang: Lang, parts: readonly Part[] = used.map((part) => part[lang])): Promise<void> {
  if (!hasLanguage(lang)) {
    books[lang] = Object.assign({}, ...(await Promise.all(parts.map((load) => load()))).map((part) => part.default)) as Book;
  }
}

/**
 * Puts the sentence of a key into words; label names the value of a blank, and own is the sentence that the
 * game uses instead. The language must have been loaded.
 */
export function formatSentence(lang: Lang, key: Key, args: Record<string, string> = {}, label: (value: string) => string = (v) => v,
  own?: string): string
{
  return fillBlanks(addSpaces(lang, own ?? books[lang]?.[key] ?? key), args, label);
}

/** The same for what the daemon sends. A key this page does not know is shown as it is, once all words are there; before, nothing is. */
export function formatMsg(lang: Lang, msg: Msg, label: (value: string) => string, own?: string): string {
  return hasWords(msg.k) ? formatSentence(lang, msg.k, msg.a ?? {}, label, own) : isWhole ? msg.k : '';
}

/** Some names, as one part of a sentence. */
export const listNames = (lang: Lang, names: readonly string[]): string =>
  new Intl.ListFormat(lang === 'en' ? 'en-GB' : lang).format(names);

/** Whether there are words for a key, in the languages learnt; they all have the same keys. */
export const hasWords = (key: string): key is Key => Object.values(books).some((book) => Object.hasOwn(book, key));

/** Fills the blanks. */
export function fillBlanks(sentence: string, args: Readonly<Record<string, string>>, label: (value: string) => string): string {
  return sentence.replace(/\{([a-z0-9-]+)\}/gi, (blank, name: string) => {
    const value = args[name];
    return value === undefined ? blank : label(value);
  });
}
