// How long the guide repeats what the table was told: until the table goes on.
// A reading that is only refused sends no second update, but phones that come
// and go do, and each of these would wipe the sentence away.
import type { Notice, Update } from '../lib/wire';

/** A notice and where the game stood when it came. */
export interface Kept {
  notice: Notice;
  at: string;
}

/** Where the game stands, as far as everybody knows. */
function stand({ view }: Update): string {
  return JSON.stringify([view.phase, view.active, view.clock.at, view.urn, view.shown.length, view.log.at(-1)?.n ?? 0, view.result !== undefined]);
}

/** The notice to be shown with this update, given the one shown before. */
export function keep(before: Kept | undefined, update: Update): Kept | undefined {
  const { notice } = update;
  const at = stand(update);
  if (notice !== undefined && notice.private !== true && notice.msg.k !== '') return { notice, at };
  // That a card was taken is news for one moment.
  return before !== undefined && before.at === at && before.notice.signal !== 'accepted' ? before : undefined;
}
