// The language of this phone, and the names of everything at the table.
import { colours } from './colours.svelte';
import { browserItem } from './storage';
import { type Key, LANGS, type Lang, hasLanguage, loadLaterWords, loadWords, formatSentence, formatMsg, addSpaces,
  listNames } from './words';
import type { Msg, Name, Names, SeatView } from './wire';

const store = browserItem('lang');

function firstLanguage(): Lang {
  const kept = store.get();
  if (kept === 'fr' || kept === 'en') return kept;
  for (const wanted of [new URLSearchParams(location.search).get('lang') ?? '', ...(navigator.languages ?? [])]) {
    const lang = LANGS.find((l) => wanted.toLowerCase().startsWith(l));
    if (lang) return lang;
  }
  return 'fr';
}

class Language {
  #lang = $state<Lang>(firstLanguage());
  #wanted: Lang | undefined;
  #later = $state(false); // the words that a phone loads after the others are there
  #names = $state.raw(new Map<string, Name>());
  #values = $state.raw(new Map<string, Name>());
  #seats = $state.raw(new Map<string, string>());

  constructor() {
    document.documentElement.lang = this.#lang;
  }

  get lang(): Lang {
    return this.#lang;
  }

  /** Takes effect when the words are there: at once, if they have been learnt. */
  set lang(lang: Lang) {
    this.#wanted = lang;
    store.set(lang);
    if (hasLanguage(lang)) this.#speak(lang);
    else loadWords(lang).then(() => this.#speak(this.#wanted ?? lang), () => undefined); // not loaded: all stays as it is
  }

  #speak(lang: Lang): void {
    this.#lang = lang;
    document.documentElement.lang = lang;
  }

  get other(): Lang {
    return this.#lang === 'fr' ? 'en' : 'fr';
  }

  /** Loads the words that a phone does not need to begin. Rejects when the daemon does not answer. */
  async loadLater(): Promise<void> {
    await loadLaterWords();
    this.#later = true;
  }

  /** The labels of the deck, from the names topic. */
  learnNames(names: Names): void {
    const values = names.filter((n) => n.kind === 'value');
    this.#values = new Map(values.map((n) => [`${n.of ?? ''}/${n.id}`, n]));
    this.#names = new Map(names.filter((n) => n.kind !== 'value').map((n) => [n.id, n]));
  }

  /** The players' own names, and the colours they wear, from the last view. */
  learnSeats(seats: SeatView[]): void {
    colours.learn(seats);
    this.#seats = new Map(seats.map((s) => [`seat-${s.seat}`, s.name]));
  }

  /** The sentence of a key of the catalogues. */
  t = (key: Key, args: Record<string, string | number> = {}): string => {
    const texts = Object.fromEntries(Object.entries(args).map(([k, v]) => [k, String(v)]));
    return formatSentence(this.#lang, key, texts, this.label, this.own(key));
  };

  /** A sentence that the daemon sent. */
  say = (msg: Msg): string => {
    void this.#later;
    return formatMsg(this.#lang, msg, this.label, this.own(msg.k));
  };

  /** The sentence that this game has of its own for a key, or for a rule by its number. */
  own = (key: string, lang = this.#lang): string | undefined => {
    const name = this.#names.get(key);
    return name?.kind === 'sentence' ? name.text[lang] : undefined;
  };

  /** What an id or a seat is called; a list of them when joined by commas. An unknown one stays as it is. */
  label = (value: string): string => {
    const seat = this.#seats.get(value);
    if (seat !== undefined) return seat === '' ? this.seat(value) : seat;
    const name = this.#names.get(value);
    if (name) return addSpaces(this.#lang, name.text[this.#lang]) || value;
    if (/^seat-\d+$/.test(value)) return this.seat(value);
    if (value.includes(',') && !value.includes(' ')) return this.list(value.split(',').map(this.label));
    return value;
  };

  /** Some names, in one sentence. */
  list = (names: readonly string[]): string => listNames(this.#lang, names);

  /** What a value of a house rule is called; the same id can mean something else in another rule. */
  value = (rule: string, value: string): string => addSpaces(this.#lang, this.#values.get(`${rule}/${value}`)?.text[this.#lang] ?? value);

  /** The values of a house rule, in deck order. */
  values = (rule: string): Name[] => [...this.#values.values()].filter((n) => n.of === rule);

  /** How many things of a kind the deck has. */
  count = (kind: string): number => [...this.#names.values()].filter((n) => n.kind === kind).length;

  /** The ids of some kinds, in deck order. */
  ids = (...kinds: string[]): string[] => [...this.#names.values()].filter((n) => kinds.includes(n.kind)).map((n) => n.id);

  /** What is public about an id of the deck. */
  name = (id: string): Name | undefined => this.#names.get(id);

  private seat(value: string): string {
    return formatSentence(this.#lang, 'ui.seat.n', { n: value.slice('seat-'.length) });
  }
}

/** One page has one language and sits at one table. */
export const language = new Language();
