// The window of a Cluedo that is open now: after a card was shown, for a displaced
// seat, at the end of a turn.
import type { Case } from './wire';

/** A window: its length in ms, and what tells it from the next one. */
export function windowOf(table: Pick<Case, 'opened' | 'closes'> | undefined): { key: string; length: number } | undefined {
  const { opened = 0, closes = 0 } = table ?? {};
  return closes > opened ? { key: `${opened}-${closes}`, length: closes - opened } : undefined;
}
