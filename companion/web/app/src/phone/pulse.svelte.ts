// When a phone buzzes: at the few moments that everybody at the table sees, and
// so on every phone alike (GEN-002, GEN-003). Never because of a turn, a card
// or a refusal: who is near would feel which phone it was.
import { since } from '../lib/happened';
import { HapConfrontation, HapCounted, HapCounting, HapExposed, HapLooked, HapMurdered, HapOpened, HapOver, HapShown, type View } from '../lib/wire';

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
export const pulse = (last: Public | undefined, now: Public): number => Math.max(0, ...since(last, now).map((h) => LENGTHS[h.what] ?? 0));

/** Buzzes as the view changes; where the device cannot, nothing happens. */
export function buzz(view: () => Public | undefined): void {
  let last: Public | undefined;
  $effect(() => {
    const now = view();
    if (!now) return;
    const ms = pulse(last, now);
    last = now;
    if (ms > 0) navigator.vibrate?.(ms);
  });
}
