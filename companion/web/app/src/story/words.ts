// The sentences of the story: a part of their own for each language, loaded when it is opened.
import { type Lang, fill, spaced } from '../lib/words';

type Book = Readonly<Record<string, string>>;

/** Puts a sentence of the story into words. */
export type Say = (key: string, args?: Readonly<Record<string, string>>) => string;

const parts: Record<Lang, () => Promise<{ default: Book }>> = {
  fr: () => import('../../../../../engine/words/story.fr.json'),
  en: () => import('../../../../../engine/words/story.en.json'),
};

/** Learns those of a language; rejects when the daemon does not answer. label names what stands in a blank. */
export async function learnStory(lang: Lang, label: (value: string) => string): Promise<Say> {
  const book = (await parts[lang]()).default;
  return (key, args = {}) => fill(spaced(lang, book[key] ?? key), args, label);
}
