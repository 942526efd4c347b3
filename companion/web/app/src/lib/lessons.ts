// The explanations of a first evening, by game. They are a part of their own for each
// language: no page waits for them, and a player who knows the game loads them with the first "?".
import { type Lang, fillBlanks, addSpaces } from './words';

/** The sentences of each game, by what they explain. */
export type Lessons = Readonly<Record<string, Readonly<Record<string, string>>>>;

const parts: Record<Lang, () => Promise<{ default: Lessons }>> = {
  fr: () => import('../../../../../engine/words/lessons.fr.json?all'),
  en: () => import('../../../../../engine/words/lessons.en.json?all'),
};
const loaded: Partial<Record<Lang, Lessons>> = {};

/** Loads those of a language; rejects when the daemon does not answer. */
export async function loadLessons(lang: Lang): Promise<Lessons> {
  return (loaded[lang] ??= (await parts[lang]()).default);
}

/** Those of a language, if they are there. */
export const lessonsIn = (lang: Lang): Lessons | undefined => loaded[lang];

/** One of them in words: of the first of these games that has it. */
export function formatLesson(
  lang: Lang,
  games: readonly string[],
  key: string,
  args: Readonly<Record<string, string>> = {},
  label: (value: string) => string = (v) => v,
): string | undefined {
  const all = loaded[lang];
  const game = games.find((g) => Object.hasOwn(all?.[g] ?? {}, key));
  return game === undefined ? undefined : fillBlanks(addSpaces(lang, all![game]![key]!), args, label);
}
