// Writes the log of a sample update: lines, and the happenings that they are about.
import { lastHappening } from '../lib/happened';
import type { Happening, Msg, Update } from '../lib/wire';

/** A happening, if any, and the line about it, if any. */
export type News = [Omit<Happening, 'n'> | undefined, Msg?];

/** Adds news to the update; the first new line has the number from. The last twelve lines are kept. */
export function tell(u: Update, from: number, round: number, ...news: News[]): Update {
  let n = from;
  for (const [h, msg] of news) {
    const of = lastHappening(u.view) + 1;
    if (h !== undefined) u.view.happened = [...u.view.happened, { n: of, ...h }];
    if (msg !== undefined) u.view.log = [...u.view.log, { n: n++, round, msg, ...(h === undefined ? {} : { of }) }];
  }
  u.view.log = u.view.log.slice(-12);
  return u;
}
