// The present explanation in the language of the page. Its words are loaded a moment later, and again for another language; without
// them nothing is explained.
import { loadLessons, formatLesson } from '../lib/lessons';
import { language } from '../lib/language.svelte';

export class Explained {
  #ready = $state('');

  /** Belongs to the component that makes it. */
  constructor() {
    $effect(() => {
      const wanted = language.lang;
      loadLessons(wanted).then(() => (this.#ready = wanted), () => undefined);
    });
  }

  /** Whether the words are there. */
  get ready(): boolean {
    return this.#ready === language.lang;
  }

  /** The sentence of the first of these games that has it; '' where there is none, or not yet. */
  say(games: readonly string[], key: string, args: Readonly<Record<string, string>> = {}): string {
    return this.ready ? (formatLesson(language.lang, games, key, args, language.label) ?? '') : '';
  }
}
