// The page's access to the administration of the table, apart from the game: rows that are watched or done (package office).
import { type Args, type Msg, type OfficeAnswer, OfficeRows } from '../lib/wire';
import type { Ask } from './ask';

const FIRST_RETRY = 500; // ms, doubled at each failure
const LAST_RETRY = 8000;
/** The table does not answer. */
export const LOST: Msg = { k: 'ui.host.lost' };

/** A row that components watch. */
interface Watched {
  seen: string; // identifies the version that is shown; '' before the first answer
  value: unknown; // undefined: this device may not see it
  shown: Set<(value: never) => void>;
}

export class Office {
  /** The rows that this device may use now. */
  rows = $state.raw<readonly string[]>([]);
  readonly #ask: Ask;
  readonly #watched = new Map<string, Watched>();
  #held = new AbortController(); // ends the request that waits for a change
  #following = false;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Keeps rows up to date until the returned function is called. */
  start(): () => void {
    return this.watch<string[]>(OfficeRows, (rows) => (this.rows = rows ?? []));
  }

  has(row: string): boolean {
    return this.rows.includes(row);
  }

  /** Calls shown with the value of a row, now and at each change, until the returned function is called; undefined: not for this device. */
  watch<T>(row: string, shown: (value: T | undefined) => void): () => void {
    const all = this.#watched.get(row) ?? { seen: '', value: undefined, shown: new Set() };
    if (all.seen) shown(all.value as T | undefined);
    all.shown.add(shown);
    if (!this.#watched.has(row)) {
      this.#watched.set(row, all);
      this.#held.abort();
    }
    if (!this.#following) void this.#follow();
    return () => {
      all.shown.delete(shown);
      if (all.shown.size > 0 || this.#watched.get(row) !== all) return;
      this.#watched.delete(row);
      this.#held.abort();
    };
  }

  /** Asks for the changes of all watched rows, in one request at a time, while any row is watched. */
  async #follow(): Promise<void> {
    this.#following = true;
    let rest = FIRST_RETRY;
    for (;;) {
      await Promise.resolve(); // components that are mounted together share one request
      if (this.#watched.size === 0) break;
      this.#held = new AbortController();
      const { signal } = this.#held;
      const watch = Object.fromEntries([...this.#watched].map(([row, { seen }]) => [row, seen]));
      try {
        const answer = await this.#ask({ watch }, signal);
        if (answer.why) throw new Error(answer.why.k);
        rest = FIRST_RETRY;
        for (const [row, news] of Object.entries(answer.rows ?? {})) this.#show(row, news);
      } catch {
        if (signal.aborted) continue; // the set of watched rows has changed
        await pause(rest, signal);
        rest = Math.min(2 * rest, LAST_RETRY);
      }
    }
    this.#following = false;
  }

  #show(row: string, news: OfficeAnswer): void {
    const all = this.#watched.get(row);
    if (!all) return;
    all.seen = news.seen ?? '';
    all.value = news.value ?? undefined;
    for (const shown of all.shown) shown(all.value as never);
  }

  /** Does a row: returns its result, or the sentence that says why it was refused. */
  async do<T>(row: string, args: Args = {}): Promise<{ value?: T; why?: Msg }> {
    try {
      const answer = await this.#ask({ row, args });
      return answer.why ? { why: answer.why } : { value: answer.value as T };
    } catch {
      return { why: LOST };
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });

/** The acts of one component in the office: one at a time, with the reason of the last refusal. */
export class RowActs {
  busy = $state(false);
  why = $state.raw<Msg | undefined>();
  readonly #office: () => Office;

  constructor(office: () => Office) {
    this.#office = office;
  }

  /** Does a row, unless another act is running; undefined if it was not done. */
  async do<T>(row: string, args: Args = {}): Promise<T | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.why = undefined;
    const { value, why } = await this.#office().do<T>(row, args);
    this.busy = false;
    this.why = why;
    return why ? undefined : value;
  }
}

/** The value of a row while a component is mounted. Must be made during the initialisation of the component. */
export class RowValue<T> {
  value = $state.raw<T | undefined>();

  constructor(office: () => Office | undefined, row: string) {
    $effect(() => {
      const at = office();
      if (!at?.has(row)) {
        this.value = undefined;
        return;
      }
      return at.watch<T>(row, (value) => (this.value = value));
    });
  }
}
