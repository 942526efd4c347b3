// Stores the note sheet of this seat at the daemon: marks are sent a
// moment later, and at once when the page is left. The phones of a seat share one
// sheet: marks of this phone that the daemon has not accepted yet overlay the
// daemon's sheet, field by field, so that the last mark of each field counts.
import { BLANK, type Mark, type Sheet, changedFields, applyFields, parseSheet, formatSheet } from './notes';

/** At most one message in this time, in ms. */
export const PAUSE = 2000;
/** How long an answer may take; after that the marks are sent again. */
export const SETTLE = 8000;

/** Sends a sheet based on a revision; kept is called with whether it was accepted. Returns false when it could not be sent. */
export type SendNotes = (marks: string, rev: number, kept: (ok: boolean) => void) => boolean;

export class Notes {
  sheet = $state.raw<Sheet>(BLANK);
  readonly #send: SendNotes;
  #told = ''; // the marks that the daemon has, by the last update
  #rev = 0; // their revision
  #own = new Map<number, Mark>(); // fields marked here that the daemon has not accepted
  #flying: string | undefined; // sent, and not answered yet
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: SendNotes) {
    this.#send = send;
  }

  /** Receives the marks of the daemon, from the update of this revision. */
  hear(marks: string, rev: number): void {
    this.#rev = rev;
    if (marks === this.#told) return;
    this.#told = marks;
    const theirs = parseSheet(marks);
    this.#own = changedFields(theirs, applyFields(theirs, this.#own)); // marks that the daemon has need no sending
    this.sheet = applyFields(theirs, this.#own);
  }

  change(sheet: Sheet): void {
    if (sheet === this.sheet) return;
    for (const [at, mark] of changedFields(this.sheet, sheet)) this.#own.set(at, mark);
    this.sheet = sheet;
    this.#timer ??= setTimeout(this.flush, PAUSE);
  }

  /** The game has ended, and its sheet with it. */
  end(): void {
    this.#own.clear();
    this.#told = '';
    this.sheet = BLANK;
  }

  /** Sends what has not been taken; what is under way already is not sent twice. */
  flush = (): void => {
    const marks = formatSheet(this.sheet);
    if (marks === this.#flying) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (marks === this.#told) return;
    const sent = new Map(this.#own);
    const kept = (ok: boolean): void => {
      if (this.#flying === marks) this.#flying = undefined;
      if (ok) {
        this.#told = marks;
        for (const [at, mark] of sent) if (this.#own.get(at) === mark) this.#own.delete(at);
      }
      clearTimeout(this.#timer);
      this.#timer = this.#own.size > 0 ? setTimeout(this.flush, PAUSE) : undefined;
    };
    const away = this.#send(marks, this.#rev, kept);
    this.#flying = away ? marks : undefined;
    this.#timer = setTimeout(() => {
      this.#flying = undefined;
      this.flush();
    }, away ? SETTLE : PAUSE);
  };
}
