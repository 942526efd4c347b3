// What the host administers beside the game, as the pages ask for it: rows that are seen and done (package office).
import { untrack } from 'svelte';
import { type Args, type Msg, OfficeRows } from '../lib/wire';
import type { Ask } from './ask';

const FIRST_RETRY = 500; // ms, doubled at each failure
const LAST_RETRY = 8000;
/** Nobody answers. */
export const LOST: Msg = { k: 'ui.host.lost' };

export class Office {
  /** The rows that this device may use now. */
  rows = $state.raw<readonly string[]>([]);
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Follows which rows there are, until the function that it gives is called. */
  start(): () => void {
    return this.watch<string[]>(OfficeRows, (rows) => (this.rows = rows ?? []));
  }

  has(row: string): boolean {
    return this.rows.includes(row);
  }

  /** Tells what a row shows, now and at each change, until the function that it gives is called; undefined: it is not for this device. */
  watch<T>(row: string, shown: (value: T | undefined) => void): () => void {
    const end = new AbortController();
    untrack(() => void this.#follow<T>(row, shown, end.signal));
    return () => end.abort();
  }

  async #follow<T>(row: string, shown: (value: T | undefined) => void, signal: AbortSignal): Promise<void> {
    let seen = '';
    let rest = FIRST_RETRY;
    while (!signal.aborted) {
      try {
        const answer = await this.#ask({ row, ...(seen ? { seen } : {}) }, signal);
        if (signal.aborted) return;
        rest = FIRST_RETRY;
        if (answer.value !== undefined) shown((answer.value ?? undefined) as T | undefined);
        else if (answer.why) shown(undefined);
        seen = answer.seen ?? '';
        if (answer.why) await pause(LAST_RETRY, signal); // who signs in is another follower
      } catch {
        await pause(rest, signal);
        rest = Math.min(2 * rest, LAST_RETRY);
      }
    }
  }

  /** Does a row: gives what came of it, or the sentence that says why not. */
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

/** What a component does in the office: one thing at a time, and what was refused last. */
export class Desk {
  busy = $state(false);
  why = $state.raw<Msg | undefined>();
  readonly #office: () => Office;

  constructor(office: () => Office) {
    this.#office = office;
  }

  /** Does a row, unless something is on its way; undefined where it was not done. */
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

/** What a row shows while a component is there. To be made while the component is. */
export class Seen<T> {
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
