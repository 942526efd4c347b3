// Whose phones the frames of one tour show. A phone is in one browser; several tours may stand side by side at one table, and the one
// whose visitor has asked for something gets the new phones.

/** ms after a visitor's wish in which the new links are for this tour. */
export const MINE = 15_000;

/** ms after which any tour may open a link that nobody has opened. */
export const FREE = 5000;

/** ms in which a phone mostly joins; one that takes longer is said to be elsewhere until it has. */
export const JOINS = 30_000;

interface Link {
  url: string; // with its invitation
  since: number;
  mine: boolean;
}

export class Phones {
  readonly #links = new Map<number, Link>();
  readonly #frames = new Map<number, { url: string; at: number }>();
  #asked: number;

  /** holds: this browser is the phone of a seat, by an invitation where it is known. The visitor has just opened the tour. */
  constructor(readonly holds: (seat: number, link?: string) => boolean, now: number) {
    this.#asked = now;
  }

  /** The visitor has asked for an evening or a phone. */
  ask(now: number): void {
    this.#asked = now;
  }

  /** The address of a seat's phone in this browser, from what the bench says of the seat; '' where the phone is in another one. */
  at(seat: number, url: string, now: number): string {
    const frame = this.#frames.get(seat);
    let link = this.#links.get(seat);
    if (url.includes('#j=')) {
      if (link?.url !== url) this.#links.set(seat, link = { url, since: now, mine: now - this.#asked < MINE });
      return frame?.url === url || link.mine || now - link.since > FREE ? url : '';
    }
    const joins = frame !== undefined && frame.url === link?.url && now - frame.at < JOINS;
    return joins || this.holds(seat, link?.url) ? frame?.url ?? url : '';
  }

  /** What the frame of a seat could hold: a frame that has opened a link keeps it until there is another, for its phone may be joining. */
  frame(seat: number, url: string, now: number): string {
    const here = this.at(seat, url, now);
    const opened = this.#frames.get(seat)?.url;
    return here === '' && opened !== undefined && opened === this.#links.get(seat)?.url ? opened : here;
  }

  /** What the frame of a seat holds; from now on it does, and goes on by itself whatever its address becomes. */
  show(seat: number, url: string, now: number): string {
    const shown = this.frame(seat, url, now);
    if (shown !== '' && this.#frames.get(seat)?.url !== shown) this.#frames.set(seat, { url: shown, at: now });
    return shown;
  }
}
