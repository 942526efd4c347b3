// A window that is open now: a short while in which others may act. games/window.ts asks
// the view for it.
import { tabItem } from './storage';
import type { Case, Update } from './wire';

/** A window: its length and what was left of it in an update, in ms, and what tells that update from the next. */
export interface Open {
  key: string;
  length: number;
  left: number;
}

/** The window that is open, if one is. */
export function windowOf(
  table: Pick<Case, 'opened' | 'closes'> | undefined,
  { epoch, rev, left = 0 }: Pick<Update, 'epoch' | 'rev' | 'left'>,
): Open | undefined {
  const length = (table?.closes ?? 0) - (table?.opened ?? 0);
  return length > 0 && left > 0 ? { key: `${epoch}.${rev}`, length, left } : undefined;
}

const kept = tabItem('window');
let last = { key: '', at: 0 }; // one table has one window at a time

/**
 * What is left of a window, in ms. It counts from when this page first saw the update, on
 * its own wall clock: whatever draws it anew, a reload too, must not begin again.
 */
export function leftOf({ key, left }: Open, now: number): number {
  if (last.key !== key) {
    const [was, at] = (kept.get() ?? '').split(' ');
    last = { key, at: was === key && Number(at) <= now ? Number(at) : now };
    kept.set(`${key} ${last.at}`);
  }
  return Math.max(0, left - (now - last.at));
}
