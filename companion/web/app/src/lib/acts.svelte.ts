// Acts on their way: one at a time, each with a number that only rises, each
// ending in an answer, in a view that covers it, or in "not sent, try again".
//
// An act is never sent again automatically: a tap that arrives a minute late could
// do harm. After a broken connection, or from a slow table, the next view or a late
// reply shows whether it arrived, even after the page had given it up.
import { randomName } from './bytes';
import { type Args, type Reject, type Reply, type Update, heardOf } from './wire';

const ANSWER = 6000; // ms until an act counts as lost
const SETTLE = 1500; // ms for the view that follows an accepted act

export interface Sender {
  send(seq: number, act: object): Promise<void>;
  check(): void;
}

export type ActState =
  | { is: 'idle' }
  | { is: 'busy'; id: string; seq: number; act: string }
  | { is: 'refused'; act: string; reject: Reject }
  | { is: 'lost'; act: string };

export class Acts {
  state = $state.raw<ActState>({ is: 'idle' });
  readonly #link: Sender;
  #offered: ReadonlySet<string> | undefined;
  #made = false; // made by the page, not by a tap: no offer appears or disappears with it
  readonly #number: number; // which of the seat's phones this is
  #last = 0;
  #quiet: { id: string; kept: (ok: boolean) => void } | undefined; // the last quiet act
  #unwanted = false;
  #late: { id: string; seq: number } | undefined; // the act given up last, as long as nothing was sent after it
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Sender, number = 1) {
    this.#link = link;
    this.#number = number;
  }

  get busy(): boolean {
    return this.state.is === 'busy';
  }

  /** Sends an act; false when one is still on its way. */
  do(act: string, args: Args, heard: number): boolean {
    if (this.busy) return false;
    // Milliseconds keep rising over reloads; heard is the last number that the daemon accepted.
    const seq = Math.max(Date.now(), this.#last + 1, heard + 1);
    this.#last = seq;
    const id = randomName();
    this.#late = undefined;
    this.#made = this.#offered !== undefined && !this.#offered.has(act);
    this.state = { is: 'busy', id, seq, act };
    this.#after(ANSWER, () => {
      this.#link.check(); // brings the last view, which shows the outcome
      this.#after(ANSWER, () => this.#lose(id));
    });
    const body = { id, seq, act, ...(Object.keys(args).length > 0 ? { args } : {}) };
    this.#link.send(seq, body).catch(() => this.#lose(id));
    return true;
  }

  /**
   * Sends an act that is no move of the game, such as the note sheet: nothing on
   * the page waits for its answer; kept is called with it if it comes. Returns false while another
   * act is on its way. After the daemon has answered that it does not know the act, nothing more is
   * sent and only the page keeps the note.
   */
  quietly(act: string, args: Args, heard: number, kept: (ok: boolean) => void): boolean {
    if (this.busy) return false;
    if (this.#unwanted) return true;
    const seq = Math.max(Date.now(), this.#last + 1, heard + 1);
    this.#last = seq;
    const id = randomName();
    this.#quiet = { id, kept };
    this.#late = undefined; // its number would cover that one's
    this.#link.send(seq, { id, seq, act, args }).catch(() => undefined); // the page writes it all again with the next mark
    return true;
  }

  onReply(reply: Reply): void {
    if (reply.id === this.#quiet?.id) {
      if (reply.reject?.code === 'unknown') this.#unwanted = true;
      else this.#quiet.kept(reply.ok);
      this.#quiet = undefined;
    }
    const now = this.state;
    if (now.is !== 'busy' && now.is !== 'lost' || reply.id !== (now.is === 'busy' ? now.id : this.#late?.id)) return;
    const { act } = now;
    if (!reply.ok && reply.reject) return this.#end({ is: 'refused', act, reject: reply.reject });
    if (!reply.ok) return this.#end({ is: 'lost', act });
    if (now.is === 'lost') return this.#end({ is: 'idle' });
    // Stay busy until the view with the outcome has arrived, so that a second tap does nothing.
    this.#after(SETTLE, () => this.#end({ is: 'idle' }));
  }

  /** Called with each view, after the connection came back too. A refusal is dropped when its act is no longer offered. */
  onUpdate(update: Update): void {
    const now = this.state;
    this.#offered = new Set(update.view.offers.map((o) => o.act));
    if (now.is === 'refused' && !this.#made && !this.#offered.has(now.act)) return this.#end({ is: 'idle' });
    const seq = this.state.is === 'busy' ? this.state.seq : this.state.is === 'lost' ? this.#late?.seq : undefined;
    if (seq !== undefined && heardOf(update, this.#number) >= seq) this.#end({ is: 'idle' });
  }

  /** The person has read the refusal. */
  dismiss(): void {
    if (!this.busy) this.#end({ is: 'idle' });
  }

  #lose(id: string): void {
    if (this.state.is !== 'busy' || this.state.id !== id) return;
    this.#late = { id, seq: this.state.seq };
    this.#end({ is: 'lost', act: this.state.act });
  }

  #after(ms: number, f: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(f, ms);
  }

  #end(state: ActState): void {
    clearTimeout(this.#timer);
    this.state = state;
  }
}
