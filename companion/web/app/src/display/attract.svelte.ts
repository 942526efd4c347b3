// A game that plays automatically, for a display at an unused table (GET /attract). The daemon says whether one plays, and ends it
// when anything happens at the table; a touch of this page brings the table back at once.
import { lastLines } from '../lib/lines';
import type { Update } from '../lib/wire';

const AGAIN = 60; // s from one question to the next

export class Attract {
  #update = $state.raw<Update | undefined>();
  #table: Update | undefined; // as it is
  #never = 0; // epoch of a daemon that plays none
  #free = false; // no player is at the table
  #idle = AGAIN; // s without a touch of the page
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | undefined;

  /** What is shown in the place of the table; undefined: the table itself. */
  get update(): Update | undefined {
    return this.#update;
  }

  /** Takes each update of the table. */
  take(table: Update): void {
    const { epoch, paused, view } = (this.#table = table);
    this.#free = view.phase === 'lobby' && view.seats.length === 0 && paused === undefined && epoch !== this.#never;
    if (!this.#free) this.stop();
    else if (this.#timer === undefined && this.#asked === undefined) void this.#ask();
  }

  /** Somebody is at the page. */
  touch(): void {
    if (this.#free) this.#wait(this.#idle);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#update = this.#timer = this.#asked = undefined;
  }

  #wait(seconds: number): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#ask(), seconds * 1000);
  }

  async #ask(): Promise<void> {
    this.stop();
    const { signal } = (this.#asked = new AbortController());
    try {
      if (document.visibilityState !== 'hidden') await this.#show(signal);
    } catch {
      // The daemon does not answer, or nothing more is wanted of it.
    }
    if (!signal.aborted) this.#wait(AGAIN);
  }

  async #show(signal: AbortSignal): Promise<void> {
    const answer = await fetch('/attract', { cache: 'no-store', signal });
    if (signal.aborted) return;
    if (answer.status === 404) {
      this.#never = this.#table?.epoch ?? 0;
      this.#free = false;
      this.stop();
      return;
    }
    this.#idle = Number(answer.headers.get('Majordome-Idle')) || AGAIN;
    if (answer.status !== 200 || answer.body === null) return;
    await lastLines(answer.body, (line) => {
      const next = JSON.parse(line) as Update; // all its lists are lists (TestEvening)
      if (!signal.aborted && next.v === this.#table?.v) this.#update = next;
    });
  }
}
