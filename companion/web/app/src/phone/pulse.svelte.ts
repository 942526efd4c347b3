// When a phone buzzes: at the few moments that everybody at the table sees, and
// so on every phone alike (GEN-002, GEN-003). Never because of a turn, a card
// or a refusal: who is near would feel which phone it was.
import type { Buzzing } from '../games/parts';
import { phoneOf } from '../games/phone';

/** Milliseconds of the buzz between two views; 0 for none. */
export function pulse(last: Buzzing | undefined, now: Buzzing): number {
  if (!last) return 0;
  if (now.result && !last.result) return 400;
  if ((now.mood ?? '') !== (last.mood ?? '')) return 250;
  return phoneOf(now).pulse?.(last, now) ?? 0;
}

/** Buzzes as the view changes; where the device cannot, nothing happens. */
export function buzz(view: () => Buzzing | undefined): void {
  let last: Buzzing | undefined;
  $effect(() => {
    const now = view();
    if (!now) return;
    const ms = pulse(last, now);
    last = now;
    if (ms > 0) navigator.vibrate?.(ms);
  });
}
