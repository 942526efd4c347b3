// The sentences of the story: one chunk for each language, loaded when the story is opened.
import { type Lang, fillBlanks, addSpaces } from '../lib/words';

type Book = Readonly<Record<string, string>>;

/** Puts a sentence of the story into words. */
export type Say = (key: string, args?: Readonly<Record<string, string>>) => string;

const parts: Record<Lang, () => Promise<{ default: Book }>> = {
  fr: () => import('../../../../../engine/words/story.fr.json'),
  en: () => import('../../../../../engine/words/story.en.json'),
};

/** Loads the sentences of a language; rejects if the daemon does not answer. label gives the word for the value of a blank. */
export async function learnStory(lang: Lang, label: (value: string) => string): Promise<Say> {
  const book = (await parts[lang]()).default;
  return (key, args = {}) => fillBlanks(addSpaces(lang, book[key] ?? key), args, label);
}
