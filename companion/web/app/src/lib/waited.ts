// Since when the game waits for the players who must act. The daemon says it with each update, from
// public facts (wire.Update); a page counts on from the arrival of that update.
import type { Update } from './wire';

let last = { key: '', at: 0 }; // one page sits at one table

/** For how many ms they have been waited for by now. */
export function waitedSince({ epoch, rev, waited = 0 }: Pick<Update, 'epoch' | 'rev' | 'waited'>, now: number): number {
  const key = `${epoch}.${rev}`;
  if (last.key !== key) last = { key, at: now };
  return waited + Math.max(0, now - last.at);
}
