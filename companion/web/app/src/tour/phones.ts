// The phones in the frames of one tour. A phone is in one browser; several tours may be open at one table, and the one
// whose visitor has asked for something gets the new phones.

/** ms after a request of the visitor in which new links are for this tour. */
export const MINE = 15_000;

/** ms after which any tour may open a link that has not been used. */
export const FREE = 5000;

/** ms in which a phone normally joins; one that takes longer counts as in another browser until it has joined. */
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

  /** holds reports whether this browser is the phone of a seat (by the invitation link, if given). Opening the tour counts as a request. */
  constructor(readonly holds: (seat: number, link?: string) => boolean, now: number) {
    this.#asked = now;
  }

  /** Records that the visitor has asked for an evening or a phone. */
  ask(now: number): void {
    this.#asked = now;
  }

  /** The address of a seat's phone in this browser, from the one that the bench gives; '' if the phone is in another browser. */
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

  /** The address for the frame of a seat: a frame keeps the link that it has opened until there is another, as its phone may be joining. */
  frame(seat: number, url: string, now: number): string {
    const here = this.at(seat, url, now);
    const opened = this.#frames.get(seat)?.url;
    return here === '' && opened !== undefined && opened === this.#links.get(seat)?.url ? opened : here;
  }

  /** As frame, and remembers the address as opened: the page in the frame then goes on without further help. */
  show(seat: number, url: string, now: number): string {
    const shown = this.frame(seat, url, now);
    if (shown !== '' && this.#frames.get(seat)?.url !== shown) this.#frames.set(seat, { url: shown, at: now });
    return shown;
  }
}
