// The types of the guiding line, for all games (guide.ts, games/*/bench.ts).
import type { Key } from '../lib/words';

/** A count that differs between the record and the table. */
export interface Difference {
  spot: string;
  record: number;
  table: number;
}

/** What to do next. */
export interface Guide {
  key: Key;
  args?: Record<string, string>;
  spots?: Record<string, string>; // arguments that are spots, to be named
  from: string[]; // spots to take from
  to: string[]; // spots to bring to
  phone?: number; // the seat whose phone is needed
  host?: boolean; // the host's page is needed
  deal?: boolean; // the helping hand can do it
  tidy?: boolean; // the helping hand can put the cards right
}
