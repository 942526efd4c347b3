// Says announcements aloud through the browser's speech synthesis, and shows
// each as a caption whether it is spoken or not.
//
// Nothing is spoken before a person has touched the page (browsers forbid it,
// and a screen that suddenly talks is a fright); the choice is one
// tap and is remembered. Without a voice for the language the captions stay
// and the page says so once.
//
// Limits: 5 announcements wait; of more the oldest are dropped, so that the
// voice never runs far behind the game. One takes 20 s at most.

import { browserItem } from '../lib/storage';
import type { Lang } from '../lib/words';
import type { Call } from './herald';

/** The part of speechSynthesis that is used. */
export interface Synth {
  speak(u: SpeechSynthesisUtterance): void;
  cancel(): void;
  getVoices(): SpeechSynthesisVoice[];
}

/** The parts of the browser that an announcer uses; a test brings its own. */
export interface Stand {
  synth: Synth | undefined;
  utter(text: string): SpeechSynthesisUtterance;
  touched(): boolean; // a person has used this page, so it may make a sound
  after(ms: number, then: () => void): () => void;
}

const page: Stand = {
  synth: globalThis.speechSynthesis,
  utter: (text) => new SpeechSynthesisUtterance(text),
  touched: () => navigator.userActivation?.hasBeenActive ?? false,
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export const WAITING = 5; // announcements
export const LONGEST = 20_000; // ms of one announcement
const LINGER = 6000; // ms that the last caption stays
const LOADING = 3000; // ms that a browser may take to list its voices

const LOCALE: Record<Lang, string> = { fr: 'fr-FR', en: 'en-GB' };

/** The best voice of a language: browsers list the poor ones first, and only the name shows the quality. */
export function bestVoice<V extends Pick<SpeechSynthesisVoice, 'lang' | 'name'>>(voices: readonly V[], lang: Lang): V | undefined {
  const worth = ({ name, lang: locale }: V): number =>
    (/natural|neural|enhanced|premium|siri/i.test(name)
      ? 4
      : /google|online/i.test(name)
      ? 2
      : /espeak|compact|eloquence/i.test(name)
      ? -4
      : 0) +
    (locale.replace('_', '-') === LOCALE[lang] ? 1 : 0);
  return voices.filter((v) => v.lang.toLowerCase().startsWith(lang)).sort((a, b) => worth(b) - worth(a))[0];
}

/** The time that a caption stays when it is not spoken, in ms. */
export const readingTime = (text: string): number => Math.min(9000, Math.max(2600, 1400 + 55 * text.length));

/** What the switch says: nothing is spoken, it waits for a touch, or it speaks. */
export type Hush = 'off' | 'armed' | 'on';

export class Announcer {
  #caption = $state('');
  #wanted = $state(false);
  #touched = $state(false);
  #voiceless = $state.raw<Lang | undefined>();
  #queue: Call[] = [];
  #busy = false; // an announcement is being spoken or read
  #turn = 0; // which one; what an older one reports is ignored
  #cancel: (() => void) | undefined;
  #lang: Lang = 'fr';
  #loaded = false; // an empty list of voices means that there are none
  readonly #told = new Set<Lang>();
  readonly #stand: Stand;
  readonly #store = browserItem('voice');

  constructor(stand: Stand = page) {
    this.#stand = stand;
    this.#wanted = this.#store.get() === 'on';
    this.#touched = stand.touched();
    stand.synth?.getVoices(); // some browsers load them when first asked
    stand.after(LOADING, () => (this.#loaded = true));
  }

  /** The line to show; empty when there is none. */
  get caption(): string {
    return this.#caption;
  }

  get hush(): Hush {
    if (!this.#wanted) return 'off';
    return this.#touched ? 'on' : 'armed';
  }

  /** The language that was to be spoken and has no voice here. */
  get voiceless(): Lang | undefined {
    return this.#voiceless;
  }

  /** Somebody used the page: from now on it may speak, if that was asked for. */
  touch(): void {
    this.#touched = true;
  }

  /** The one tap: on (which is a touch, too), or off at once. */
  toggle(): void {
    const on = this.hush !== 'on';
    this.#wanted = on;
    if (on) this.#touched = true;
    else this.#stop();
    this.#store.set(on ? 'on' : 'off');
  }

  /** Chooses the language; what still waits was in the other one. */
  speak(lang: Lang): void {
    if (lang === this.#lang) return;
    this.#lang = lang;
    this.#voiceless = undefined;
    this.#queue = [];
    this.#stop();
  }

  /** Announces; the order is kept. */
  announce(calls: readonly Call[]): void {
    if (calls.length > 0) this.#queue = this.#queue.filter((c) => c.fleeting !== true);
    this.#queue.push(...calls);
    this.#queue.splice(0, this.#queue.length - WAITING);
    if (!this.#busy) this.#next();
  }

  /** Drops the current and the waiting announcements when a scene begins: they are about earlier events. */
  clear(): void {
    this.close();
    this.#caption = '';
  }

  /** Falls silent for good. */
  close(): void {
    this.#queue = [];
    this.#stop();
  }

  // Ends what is being said; the next in line, if any, follows.
  #stop(): void {
    this.#stand.synth?.cancel();
    this.#cancel?.();
    if (this.#busy) this.#next();
    else this.#caption = '';
  }

  #next(): void {
    this.#cancel?.();
    const turn = ++this.#turn;
    const done = () => {
      if (turn === this.#turn) this.#next();
    };
    let call = this.#queue.shift();
    const aloud = this.#aloud();
    while (call?.seen === true && !aloud) call = this.#queue.shift();
    this.#busy = call !== undefined;
    if (call === undefined) {
      this.#cancel = this.#stand.after(LINGER, () => (this.#caption = ''));
      return;
    }
    if (call.seen !== true) this.#caption = call.text;
    if (!aloud) {
      this.#cancel = this.#stand.after(readingTime(call.text), done);
      return;
    }
    const u = this.#stand.utter(call.text);
    u.lang = LOCALE[this.#lang];
    u.voice = bestVoice(this.#stand.synth?.getVoices() ?? [], this.#lang) ?? null;
    u.onend = u.onerror = done;
    this.#cancel = this.#stand.after(LONGEST, () => {
      this.#stand.synth?.cancel();
      done();
    }); // some browsers forget to report the end
    this.#stand.synth?.speak(u);
  }

  // Whether to speak: it is wanted, allowed, and there is a voice.
  #aloud(): boolean {
    if (this.hush !== 'on') return false;
    const voices = this.#stand.synth?.getVoices() ?? [];
    const ours = bestVoice(voices, this.#lang) !== undefined;
    const sure = voices.length > 0 || this.#loaded || this.#stand.synth === undefined;
    if (!ours && sure && !this.#told.has(this.#lang)) {
      this.#told.add(this.#lang);
      this.#voiceless = this.#lang;
      this.#stand.after(LONGEST, () => (this.#voiceless = undefined));
    }
    return ours;
  }
}
