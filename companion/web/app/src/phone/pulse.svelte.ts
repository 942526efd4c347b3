// When a phone stirs: at the few public moments of the game, in the same way on
// every phone (GEN-002, GEN-003). Never because of a turn, a card or a refusal:
// a neighbour would notice which phone it was. The edge of the page is lit, on each phone equally long and
// bright; a phone that can vibrate does so, too (no iPhone can), at the same moments.
import { happenedSince } from '../lib/happened';
import { HapConfrontation, HapCounted, HapCounting, HapExposed, HapLooked, HapMurdered, HapOpened, HapOver, HapShown,
  type View } from '../lib/wire';

type Public = Pick<View, 'game' | 'happened'>;

/** Milliseconds of the buzz for what has happened. */
const LENGTHS: Readonly<Record<string, number>> = {
  [HapOver]: 400,
  [HapConfrontation]: 250,
  [HapCounting]: 250,
  [HapCounted]: 250,
  [HapMurdered]: 250,
  [HapExposed]: 250,
  [HapOpened]: 120,
  [HapShown]: 60,
  [HapLooked]: 60,
};

/** Milliseconds of the buzz between two views, the longest of what happened; 0 for none. */
export const pulseLength = (last: Public | undefined, now: Public): number =>
  Math.max(0, ...happenedSince(last, now).map((h) => LENGTHS[h.what] ?? 0));

/** For how long the edge is lit, ms; one that comes meanwhile makes it longer, so that it never flickers. */
const LIT = 600;

/** Stirs the phone as the view changes; the page is lit while lit is true. */
export class Stir {
  lit = $state(false);
  #last: Public | undefined;
  #off: ReturnType<typeof setTimeout> | undefined;

  constructor(view: () => Public | undefined) {
    $effect(() => {
      const now = view();
      if (!now) return;
      const ms = pulseLength(this.#last, now);
      this.#last = now;
      if (ms === 0) return;
      navigator.vibrate?.(ms);
      clearTimeout(this.#off);
      this.lit = true;
      this.#off = setTimeout(() => (this.lit = false), LIT);
    });
    $effect(() => () => clearTimeout(this.#off));
  }
}
