// The last view of a seat, kept by its tab over a reload, so that the hand is there before the
// connection is. It is kept as it came, sealed for the seat's key, in the tab's own storage
// (sessionStorage: a phone that is lent next week opens no old hand), written when the page is left and
// removed when it is read. The page marks it as old, and allows no act, until the broker's own has come.
import { fromBase64url, toBase64url } from './bytes';
import { tabItem } from './storage';

export interface Last {
  view: Uint8Array;
  names: string; // the public names to show it with
}

interface Written {
  view: string;
  names: string;
}

export class LastView {
  readonly #item;
  #names: string | undefined;
  #view: Uint8Array | undefined;

  constructor(base: string, user: string) {
    this.#item = tabItem(`${base}:${user}:last`);
  }

  /** What the page that was here before has written. */
  take(): Last | undefined {
    const text = this.#item.get();
    this.#item.clear();
    if (text === undefined) return undefined;
    try {
      const { view, names } = JSON.parse(text) as Written;
      return { view: fromBase64url(view), names };
    } catch {
      return undefined;
    }
  }

  names(text: string): void {
    this.#names = text;
  }

  /** Without one there is nothing to keep. */
  view(payload: Uint8Array | undefined): void {
    this.#view = payload;
  }

  write = (): void => {
    if (this.#view === undefined || this.#names === undefined) return;
    this.#item.set(JSON.stringify({ view: toBase64url(this.#view), names: this.#names } satisfies Written));
  };

  /** The seat is no longer this tab's. */
  forget(): void {
    this.#view = undefined;
    this.#item.clear();
  }
}
