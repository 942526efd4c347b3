// Several acts, one after the other: the daemon takes one at a time from a page.
// What was refused is kept under the key of its field, so that it can be shown
// there; the rest of the line goes on.
import type { ActState } from '../lib/acts.svelte';
import type { Args, Msg } from '../lib/wire';

export interface Job {
  /** The field or row that the act belongs to; a newer act of a key replaces a waiting one. */
  key: string;
  act: string;
  args: Args;
}

const LOST: Msg = { k: 'ui.host.lost' };

/** A line of acts. Call state with each state of the acts, and add to fill it. */
export class ActQueue {
  waiting = $state.raw<readonly Job[]>([]);
  running = $state.raw<Job | undefined>();
  /** Why the last act of a key was not taken. */
  wrong = $state.raw<ReadonlyMap<string, Msg>>(new Map());
  /** Keys whose last act was taken. */
  taken = $state.raw<ReadonlySet<string>>(new Set());
  readonly #send: (act: string, args: Args) => void;
  #busy = false;

  constructor(send: (act: string, args: Args) => void) {
    this.#send = send;
  }

  get busy(): boolean {
    return this.running !== undefined || this.waiting.length > 0;
  }

  add(...jobs: Job[]): void {
    const keys = new Set(jobs.map((j) => j.key));
    this.waiting = [...this.waiting.filter((j) => !keys.has(j.key)), ...jobs];
    this.wrong = new Map([...this.wrong].filter(([k]) => !keys.has(k)));
    this.taken = new Set([...this.taken].filter((k) => !keys.has(k)));
    this.#next();
  }

  /** Takes the state of the acts; to be called whenever it changes. */
  state(now: ActState): void {
    this.#busy = now.is === 'busy';
    if (this.#busy) return;
    const job = this.running;
    if (job !== undefined) {
      this.running = undefined;
      if (now.is === 'idle') this.taken = new Set([...this.taken, job.key]);
      else this.wrong = new Map([...this.wrong, [job.key, now.is === 'refused' ? now.reject.why : LOST]]);
      if (now.is === 'lost') this.waiting = []; // the table does not answer: nothing more is sent behind anybody's back
    }
    this.#next();
  }

  /** Drops what has not been sent, and forgets the refusals. */
  clear(): void {
    this.waiting = [];
    this.wrong = new Map();
    this.taken = new Set();
  }

  #next(): void {
    if (this.#busy || this.running !== undefined) return;
    const [job, ...rest] = this.waiting;
    if (job === undefined) return;
    this.waiting = rest;
    this.running = job;
    this.#send(job.act, job.args);
  }
}
