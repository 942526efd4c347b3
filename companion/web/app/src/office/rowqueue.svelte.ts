// Several acts in the office, one after the other. A refusal is kept under the key of its field, so that it
// can be shown there; the other acts go on.
import type { Args, Msg } from '../lib/wire';
import { LOST, type Office } from './office.svelte';

export interface Job {
  /** The field that the job belongs to; a newer job replaces a waiting one with the same key. */
  key: string;
  row: string;
  args: Args;
  /** Called with the result. */
  done?: (value: unknown) => void;
}

export class RowQueue {
  waiting = $state.raw<readonly Job[]>([]);
  running = $state.raw<Job | undefined>();
  /** Why the last job of a key was not done. */
  wrong = $state.raw<ReadonlyMap<string, Msg>>(new Map());
  /** Keys whose last job was done. */
  taken = $state.raw<ReadonlySet<string>>(new Set());
  readonly #office: () => Office;

  constructor(office: () => Office) {
    this.#office = office;
  }

  get busy(): boolean {
    return this.running !== undefined || this.waiting.length > 0;
  }

  /** The sign that a page shows next to a field: its job waits or runs, was refused, or was done. */
  mark(key: string): '…' | '!' | '✓' | '' {
    if (this.running?.key === key || this.waiting.some((j) => j.key === key)) return '…';
    return this.wrong.has(key) ? '!' : this.taken.has(key) ? '✓' : '';
  }

  add(job: Job): void {
    this.waiting = [...this.waiting.filter((j) => j.key !== job.key), job];
    this.wrong = new Map([...this.wrong].filter(([k]) => k !== job.key));
    this.taken = new Set([...this.taken].filter((k) => k !== job.key));
    if (this.running === undefined) void this.#work();
  }

  async #work(): Promise<void> {
    for (let job = this.waiting[0]; job; job = this.waiting[0]) {
      this.waiting = this.waiting.slice(1);
      this.running = job;
      const { value, why } = await this.#office().do(job.row, job.args);
      this.running = undefined;
      if (!why) job.done?.(value);
      if (why) this.wrong = new Map([...this.wrong, [job.key, why]]);
      else this.taken = new Set([...this.taken, job.key]);
      if (why === LOST) this.waiting = []; // the table does not answer: nothing is sent later without the host's knowledge
    }
  }
}
