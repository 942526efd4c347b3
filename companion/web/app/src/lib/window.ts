// A window that is open now: a short while in which others may act. games/window.ts asks
// the view for it.
import { tabBox } from './storage';
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

const SLACK = 5_000; // a window is open for a little longer on a slow table
const kept = tabBox('window');
let last = { key: '', at: 0 }; // one table has one window at a time

/**
 * When this page first saw a window, in ms of its own wall clock: whatever draws
 * it anew, a reload too, must not begin again. The same window of a later game is
 * told by its age.
 */
export function firstSeen({ key, length }: Open, now: number): number {
  if (last.key === key) return last.at;
  const [was = '', at = ''] = (kept.get() ?? '').split(' ');
  const age = now - Number(at);
  last = { key, at: was === key && age >= 0 && age <= length + SLACK ? Number(at) : now };
  kept.set(`${key} ${last.at}`);
  return last.at;
}
