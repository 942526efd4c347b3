// The bench's line as a page has it: what lies on the simulated table now, and whether what a hand does reaches it.
import { takeHash } from '../lib/join';
import { language } from '../lib/language.svelte';
import { tabItem } from '../lib/storage';
import type { Key } from '../lib/words';
import type { Bench, BenchAct } from '../gen/wire';
import { alike, follow, send } from './stream';

/** The token that opens the bench: it stands behind # in the address at first, and the tab keeps it. */
export function benchToken(): string {
  const kept = tabItem('bench');
  const given = new URLSearchParams(takeHash()).get('b');
  if (given !== null) kept.set(given);
  return kept.get() ?? '';
}

export class BenchLine {
  /** As it lies; its light is that of the last change of anything else. */
  bench = $state.raw<Bench | undefined>();
  /** The light of now. */
  strips = $state.raw<Bench['strips']>([]);
  live = $state(true);
  #full = $state(false);
  denied = $state(false);
  /** Why the last act was refused; empty: it was not. */
  refused = $state('');

  // Whoever wants little motion sees the light four times a second, the last of it in any case.
  readonly #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #newest: Bench['strips'] = [];
  #resting = false;

  constructor(readonly token: string) {
    this.denied = token === '';
  }

  /** Opens the line; the answer closes it. */
  start(): () => void {
    const stop = new AbortController();
    if (this.token !== '') {
      void follow(this.token, {
        bench: (b) => { // at most 20 a second
          this.#shine(b.strips);
          if (this.bench === undefined || !alike(b, this.bench)) this.bench = b;
        },
        live: (on, full) => [this.live, this.#full] = [on, full],
        denied: () => (this.denied = true),
      }, stop.signal);
    }
    return () => stop.abort();
  }

  /** Says what is wrong with the bench, or else what the page's other line has to say; empty: nothing. */
  trouble(other: Key | undefined): string {
    if (!this.live) return language.t(this.#full ? 'ui.bench.full' : 'ui.bench.broken');
    return other === undefined ? this.refused : language.t(other);
  }

  act = async (a: BenchAct): Promise<void> => {
    try {
      const reject = await send(this.token, a);
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
