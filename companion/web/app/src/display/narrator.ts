// The narrator of the table: for what has happened it has lines of its own, which the
// announcer says in place of the plain sentence of the story. A line is chosen by what
// was said before and by nothing that a card says.

import en from '../../../../../engine/words/narrator.en.json';
import fr from '../../../../../engine/words/narrator.fr.json';
import type { Voice } from '../lib/voice';
import type { Msg } from '../lib/wire';
import { type Key, type Lang, formatSentence } from '../lib/words';

const LINES: Record<Lang, Partial<Record<string, readonly string[]>>> = { fr, en };

/** The narrator's lines for a sentence of the story; none for a sentence that is spoken unchanged. */
export const linesFor = (key: string, lang: Lang): readonly string[] => LINES[lang][key] ?? [];

export class Narrator {
  readonly #last = new Map<string, number>();

  /** The next line for a sentence, never the one before; the sentence itself where a game has its own wording, or there are no lines. */
  tell(msg: Msg, lang: Lang, voice: Voice): string {
    const lines = voice.name(msg.k) === undefined ? linesFor(msg.k, lang) : [];
    if (lines.length === 0) return voice.say(msg);
    const next = ((this.#last.get(msg.k) ?? -1) + 1) % lines.length;
    this.#last.set(msg.k, next);
    return formatSentence(lang, msg.k as Key, msg.a, voice.label, lines[next]);
  }
}
