// A page that comes to the table: it finds out who it is, opens its link, and
// sends its acts. The phone and the host's page differ only in how they arrive.
import { Acts } from './acts.svelte';
import { type Arrival, findArrival, findHostArrival, chooseSeat, removePass, withoutSeat } from './join';
import { Link } from './link.svelte';
import { connect } from './mqtt';
import { findSaferPage } from './secure';
import { type Site, fetchSite } from './site';
import { canStore } from './storage';
import { language } from './language.svelte';
import { type Args, type Update, heardOf } from './wire';

const PATIENCE = 1500; // ms before it is said that the table is waited for
const RENEWAL = 1000; // ms, to twice as much: after the page is drawn, and not all phones at once
const NEXT_RENEWAL = 15_000; // ms after the last try

export class Visit {
  site = $state.raw<Site | undefined>();
  arrival = $state.raw<Arrival | undefined>();
  link = $state.raw<Link | undefined>();
  acts = $state.raw<Acts | undefined>();
  /** The daemon did not answer. */
  silent = $state(false);
  /** An invitation waits unused: this browser would lose the seat at a reload. */
  unstored = $state(false);
  /** It came to the host's page. */
  readonly host: boolean;
  /** There is something to show: the first view, a problem, a choice, or that the table lets itself be waited for. */
  readonly settled: Promise<void>;
  #settle!: () => void;
  #storageNeeded = true;
  #renewing = false;
  #lastRenewal = -Infinity;

  constructor(as: 'seat' | 'host') {
    this.host = as === 'host';
    this.settled = new Promise((done) => (this.#settle = done));
    setTimeout(this.#settle, PATIENCE);
  }

  /** Which of its seat's phones this is. */
  get number(): number {
    return this.arrival && 'pass' in this.arrival ? this.arrival.pass.number : 1;
  }

  /** Arrives, or tries again. */
  async come(): Promise<void> {
    this.stop();
    this.silent = this.unstored = false;
    try {
      this.site = await fetchSite();
      const invited = /^#[jw]=/.test(location.hash);
      const to = invited ? await findSaferPage(this.site) : undefined;
      if (to !== undefined) return location.replace(to);
      this.unstored = invited && this.#storageNeeded && !canStore();
      if (this.unstored) return this.#settle();
      this.arrival = await (this.host ? findHostArrival : findArrival)(this.site);
    } catch {
      this.silent = true;
    }
    if (this.silent || !this.#sit()) this.#settle();
  }

  /** Uses the invitation although this browser stores nothing. */
  joinUnstored = (): void => {
    this.#storageNeeded = false;
    void this.come();
  };

  /** Joins by the code of an invitation that was granted to this page. */
  joinBy = (code: string): void => {
    history.replaceState(null, '', `#j=${code}`);
    void this.come();
  };

  /** Becomes one of the seats kept in this browser. */
  pick(seat: number): void {
    const pass = this.site && chooseSeat(this.site, seat);
    if (!pass) return;
    this.arrival = { pass };
    this.#sit();
  }

  /** Gives the seat up: its key is forgotten. */
  leave(): void {
    if (!this.site || !this.arrival || !('pass' in this.arrival)) return;
    this.link?.leave();
    this.link = undefined;
    removePass(this.site, this.arrival.pass.seat);
    this.arrival = withoutSeat();
  }

  /** Ends the connection; called when the page goes. */
  stop(): void {
    this.link?.stop();
    this.link = undefined;
  }

  /** Does an act, unless one is still on its way. */
  do = (act: string, args: Args): void => void this.acts?.do(act, args, heardOf(this.link?.update, this.number));

  /**
   * Sends the note sheet as it is after the last one that was shown here; kept hears
   * whether it was taken. False when it has to be tried again.
   */
  note = (marks: string, rev: number, kept: (ok: boolean) => void): boolean =>
    this.link?.state === 'live' &&
    this.acts?.quietly('note', { marks, rev: String(rev) }, heardOf(this.link.update, this.number), kept) === true;

  /** Another seat or invitation for a page that is open already. */
  again = (): void => {
    if ((this.host ? /^#j=/ : /^#(j|seat|w)=/).test(location.hash)) void this.come();
  };

  /** The key of the seat is for one game: a while after the first view of another the page gets another key. */
  #planRenewal({ game }: Update): void {
    const { site, arrival, link, acts } = this;
    const pass = arrival && 'pass' in arrival ? arrival.pass : undefined;
    if (!site || !link || !acts || !pass || game === undefined || pass.game === game) return;
    if (this.#renewing || Date.now() < this.#lastRenewal + NEXT_RENEWAL) return;
    this.#renewing = true;
    setTimeout(async () => {
      try {
        // Not while an act is on its way: the next view plans it again.
        if (this.link !== link || link.state !== 'live' || acts.busy) return;
        this.#lastRenewal = Date.now();
        const { renewKey } = await import('./renew');
        if (await renewKey(site, pass, game) && this.link === link) link.renewKey();
      } catch {
        // The key stays as it is.
      } finally {
        this.#renewing = false;
      }
    }, RENEWAL * (1 + Math.random()));
  }

  /** Opens the link, when it is known whose. */
  #sit(): boolean {
    if (!this.site || !this.arrival || !('pass' in this.arrival)) return false;
    const link = new Link(this.site, this.arrival.pass, connect);
    const acts = new Acts(link, this.arrival.pass.number);
    link.onReply = (r) => acts.onReply(r);
    link.onNames = (n) => language.learnNames(n);
    link.onUpdate = (u) => {
      language.learnSeats(u.view.seats);
      acts.onUpdate(u);
      this.#settle();
      this.#planRenewal(u);
    };
    this.link = link;
    this.acts = acts;
    link.start();
    return true;
  }
}
