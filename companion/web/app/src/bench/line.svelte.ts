// The connection of a page to the bench: the present state of the simulated table, and the acts of a hand.
import { takeHash } from '../lib/join';
import { language } from '../lib/language.svelte';
import { tabItem } from '../lib/storage';
import type { Key } from '../lib/words';
import type { Bench, BenchAct } from '../gen/wire';
import { isSameBench, followBench, sendAct } from './stream';

/** The token that opens the bench: at first it is behind # in the address, then the tab keeps it. */
export function benchToken(): string {
  const kept = tabItem('bench');
  const given = new URLSearchParams(takeHash()).get('b');
  if (given !== null) kept.set(given);
  return kept.get() ?? '';
}

export class BenchLine {
  /** The table; its strips are as old as the last change of anything else. */
  bench = $state.raw<Bench | undefined>();
  /** The present light. */
  strips = $state.raw<Bench['strips']>([]);
  live = $state(true);
  #full = $state(false);
  denied = $state(false);
  /** Why the last act was refused; empty if it was not. */
  refused = $state('');

  // For people who want reduced motion the light changes at most four times a second, and ends with the newest.
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #newest: Bench['strips'] = [];
  #resting = false;

  constructor(readonly token: string) {
    this.denied = token === '';
  }

  /** Opens the connection; the returned function closes it. */
  start(): () => void {
    const stop = new AbortController();
    if (this.token !== '') {
      void followBench(this.token, {
        bench: (b) => { // at most 20 a second
          this.#shine(b.strips);
          if (this.bench === undefined || !isSameBench(b, this.bench)) this.bench = b;
        },
        live: (on, full) => [this.live, this.#full] = [on, full],
        denied: () => (this.denied = true),
      }, stop.signal);
    }
    return () => stop.abort();
  }

  /** The message about a fault of the bench, or else of the page's other connection; empty if there is none. */
  trouble(other: Key | undefined): string {
    if (!this.live) return language.t(this.#full ? 'ui.bench.full' : 'ui.bench.broken');
    return other === undefined ? this.refused : language.t(other);
  }

  act = async (a: BenchAct): Promise<void> => {
    try {
      const reject = await sendAct(this.token, a);
      this.refused = reject === undefined ? '' : language.say(reject.why);
    } catch {
      this.refused = language.t('ui.bench.refused');
    }
  };

  #shine(strips: Bench['strips']): void {
    this.#newest = strips;
    if (this.#resting) return;
    this.strips = strips;
    if (!this.#calm.matches) return;
    this.#resting = true;
    setTimeout(() => {
      this.#resting = false;
      if (this.#newest !== this.strips) this.#shine(this.#newest);
    }, 250);
  }
}
