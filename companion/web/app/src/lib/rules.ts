// What the rules say, by their ids. The texts are a chunk of their own for each
// language: a page loads one at the first question, from the daemon.
import { type Lang, addSpaces } from './words';

type Texts = Record<string, string>;

const chunks: Record<Lang, () => Promise<{ default: Texts }>> = {
  fr: () => import('../../../../../engine/words/rules.fr.json'),
  en: () => import('../../../../../engine/words/rules.en.json'),
};
const loaded: Partial<Record<Lang, Promise<Texts>>> = {};

/**
 * The explanation of a rule, one to three sentences; undefined for an id that
 * has none. Rejects when the daemon does not answer; the next call asks again.
 */
export async function ruleText(id: string, lang: Lang, load = chunks[lang]): Promise<string | undefined> {
  loaded[lang] ??= load().then((chunk) => chunk.default);
  try {
    const texts = await loaded[lang];
    return Object.hasOwn(texts, id) ? addSpaces(lang, texts[id] as string) : undefined;
  } catch (cause) {
    delete loaded[lang];
    throw cause;
  }
}
