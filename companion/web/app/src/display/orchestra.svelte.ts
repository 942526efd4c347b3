// Plays the sounds of the display. Browsers keep a page silent until a person has touched
// it; one tap turns it off, and that is remembered. Without WebAudio there is silence.

import { browserItem } from '../lib/storage';
import { type Cue, scheduleSound } from './sounds';

/** s by which a sound follows the light of the same event, so that it never comes first. */
const AFTER = 0.06;
/** ms after which a sound is no news any more. */
const LATE = 1500;

export class Orchestra {
  #wanted = $state(true);
  #ctx: AudioContext | undefined;
  #out: AudioNode | undefined;
  readonly #store = browserItem('sound');

  constructor() {
    this.#wanted = this.#store.get() !== 'off';
  }

  get on(): boolean {
    return this.#wanted;
  }

  /** The one tap: silence is at once. */
  toggle(): void {
    this.#wanted = !this.#wanted;
    this.#store.set(this.#wanted ? 'on' : 'off');
    if (this.#wanted) this.touch();
    else void this.#ctx?.suspend();
  }

  /** Somebody used the page: from now on it may be heard. */
  touch(): void {
    if (!this.#wanted || typeof AudioContext === 'undefined') return;
    if (this.#ctx === undefined) {
      this.#ctx = new AudioContext();
      const out = this.#ctx.createGain();
      const fence = this.#ctx.createDynamicsCompressor(); // two that meet do not clip
      out.gain.value = 0.7;
      out.connect(fence).connect(this.#ctx.destination);
      this.#out = out;
    }
    void this.#ctx.resume();
  }

  /** Sounds after the frame that shows it has been painted. What cannot be heard now is not heard late. */
  play(cue: Cue): void {
    const shown = performance.now();
    requestAnimationFrame(() => {
      const [ctx, out] = [this.#ctx, this.#out];
      const late = performance.now() - shown > LATE; // a page that was hidden paints when it is seen again
      if (this.#wanted && !late && ctx?.state === 'running' && out !== undefined) scheduleSound(ctx, out, cue, ctx.currentTime + AFTER);
    });
  }

  close(): void {
    void this.#ctx?.close();
    this.#ctx = undefined;
  }
}
