// When a phone buzzes: at the few moments that everybody at the table sees, and
// so on every phone alike (GEN-002, GEN-003). Never because of a turn, a card
// or a refusal: who is near would feel which phone it was.
import { since } from '../lib/happened';
import { HapLooked, HapShown, type View } from '../lib/wire';

type Public = Pick<View, 'game' | 'shown' | 'mood' | 'result' | 'case' | 'happened' | 'seats'>;

const living = (view: Public): number => view.seats.filter((s) => s.alive).length;

/** Milliseconds of the buzz between two views; 0 for none. */
export function pulse(last: Public | undefined, now: Public): number {
  if (!last) return 0;
  if (now.result && !last.result) return 400;
  if ((now.mood ?? '') !== (last.mood ?? '')) return 250;
  if (now.case && last.case) {
    if (now.shown.length > last.shown.length || living(now) < living(last)) return 250; // a murder, a hand laid open
    return since(last, now).some((h) => h.what === HapShown || h.what === HapLooked) ? 60 : 0;
  }
  return now.shown.length > 0 && last.shown.length === 0 ? 120 : 0; // the urn is opened
}

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
