// What has happened, as the daemon says it (engine/happening.go): no page compares
// two views, or reads a sentence, to find out.
import type { Happening, Line, View } from './wire';

type Told = Pick<View, 'game' | 'happened'>;

/** The number of what happened last; 0 before the first. */
export const lastHappening = ({ happened }: Told, what?: string): number =>
  [...happened].reverse().find((h) => what === undefined || h.what === what)?.n ?? 0;

/** What happened from one view to the next: nothing on the first view, in another game, or when something was taken back. */
export function happenedSince(before: Told | undefined, now: Told): Happening[] {
  if (before === undefined || before.game !== now.game) return [];
  const last = lastHappening(before);
  return now.happened.filter((h) => h.n > last);
}

/** The happening that a line of the story describes, among these. */
export const happeningOf = (l: Line, happened: readonly Happening[]): Happening | undefined => happened.find((h) => h.n === l.of);
