// A window that is open now: a short while in which others may act. games/window.ts asks
// the view for it.
import { tabItem } from './storage';
import type { Case, Update } from './wire';

/** A window: its length and what was left of it in an update, in ms, and a key that differs from one update to the next. */
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

/** When this page first had the newest of a kind: one table has one window and one countdown at a time. */
class First {
  readonly #kept;
  #key = '';
  #at = 0;
  constructor(kind: string) {
    this.#kept = tabItem(kind);
  }
  of(key: string, now: number): number {
    if (this.#key !== key) {
      const [was, at] = (this.#kept.get() ?? '').split(' ');
      [this.#key, this.#at] = [key, was === key && Number(at) <= now ? Number(at) : now];
      this.#kept.set(`${key} ${this.#at}`);
    }
    return this.#at;
  }
}
const first = { window: new First('window'), count: new First('count') };

/**
 * What is left of a window, in ms. It counts from when this page first saw the update, on
 * its own wall clock: drawing it again, even after a reload, must not restart it.
 */
export function leftOf({ key, left }: Open, now: number): number {
  return Math.max(0, left - (now - first.window.of(key, now)));
}

/** What is left of the countdown of an update, in ms, counted like a window; while it is stopped, the value of the update. */
export function countLeft({ epoch, rev, count }: Pick<Update, 'epoch' | 'rev' | 'count'>, now: number): number {
  const since = now - first.count.of(`${epoch}.${rev}`, now);
  return count === undefined ? 0 : count.runs ? Math.max(0, count.left - since) : count.left;
}

/** 4:05, or 1:04:05 from an hour on. The last second counts: 0:00 is the end. */
export function clockText(left: number): string {
  const s = Math.ceil(left / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  return h > 0 ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}
