// How long the guide repeats a notice to the table: until the game goes on.
// A refused reading sends no second update, but phones that come and go do,
// and each of these would remove the sentence.
import type { Notice, Update } from '../lib/wire';

/** A notice and the state of the game when it came. */
export interface ShownNotice {
  notice: Notice;
  at: string;
}

/** The public state of the game, as a text to compare. */
function stateKey({ view }: Update): string {
  return JSON.stringify([view.phase, view.active, view.clock.at, view.urn, view.shown.length, view.log.at(-1)?.n ?? 0,
    view.result !== undefined]);
}

/** The notice to be shown with this update, given the one shown before. */
export function nextNotice(before: ShownNotice | undefined, update: Update): ShownNotice | undefined {
  const { notice } = update;
  const at = stateKey(update);
  if (notice !== undefined && notice.private !== true && notice.msg.k !== '') return { notice, at };
  // That a card was accepted is shown with one update only.
  return before !== undefined && before.at === at && before.notice.signal !== 'accepted' ? before : undefined;
}
