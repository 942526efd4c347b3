// What a page says of the readers of the table.
import { compareNames } from './names';
import type { Update } from './wire';

/** The readers that do not answer, by role. */
export function lostReaders(update: Pick<Update, 'table'>): string[] {
  return Object.entries(update.table.readers)
    .filter(([, state]) => state === 'lost')
    .map(([role]) => role)
    .sort(compareNames);
}
