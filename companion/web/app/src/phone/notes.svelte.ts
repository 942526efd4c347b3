// Keeps the note sheet of this seat at the daemon: what is marked is sent a
// moment later, and at once when the page is left. What the daemon sends back is
// taken over unless this page has marked something since.
import { BLANK, type Sheet, read, write } from './notes';

/** At most one message in this time, in ms. */
export const PAUSE = 2000;
/** How long marks may be on their way there and back. */
const SETTLE = 8000;

export class Notes {
  sheet = $state.raw<Sheet>(BLANK);
  readonly #send: (marks: string) => boolean;
  #told = ''; // what the daemon has, as far as this page knows
  #until = 0; // after this, another sheet is news from another phone
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** send gives the marks away; false when it could not, and it is tried again. */
  constructor(send: (marks: string) => boolean) {
    this.#send = send;
  }

  /** What the daemon has. Views that left it before the last marks arrived there change nothing. */
  hear(marks: string): void {
    if (marks === this.#told) this.#until = 0;
    if (this.#timer !== undefined || marks === this.#told || Date.now() < this.#until) return;
    this.#told = marks;
    this.sheet = read(marks);
  }

  change(sheet: Sheet): void {
    if (sheet === this.sheet) return;
    this.sheet = sheet;
    this.#timer ??= setTimeout(this.flush, PAUSE);
  }

  /** Sends what has not been sent. */
  flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const marks = write(this.sheet);
    if (marks === this.#told) return;
    if (this.#send(marks)) {
      this.#told = marks;
      this.#until = Date.now() + SETTLE;
    } else this.#timer = setTimeout(this.flush, PAUSE);
  };
}
