// The window of a Cluedo that is open now: after a card was shown, for a displaced
// seat, at the end of a turn.
import type { Case } from './wire';

/** A window: its length in ms, and what tells it from the next one. */
export interface Open {
  key: string;
  length: number;
}

/** The window that is open, if one is. */
export function windowOf(table: Pick<Case, 'opened' | 'closes'> | undefined): Open | undefined {
  const { opened = 0, closes = 0 } = table ?? {};
  return closes > opened ? { key: `${opened}-${closes}`, length: closes - opened } : undefined;
}

let last = { key: '', at: 0 }; // one table has one window at a time

/** When this page first saw a window, in ms of its own clock: whatever draws it anew must not begin again. */
export function firstSeen({ key }: Open, now: number): number {
  if (last.key !== key) last = { key, at: now };
  return last.at;
}
