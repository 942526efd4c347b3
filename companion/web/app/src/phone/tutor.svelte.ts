// What has been explained on this phone, and what to explain next. The phone stores
// it, not the seat: its owner brings the phone from evening to evening, while the seat is
// another player's next time, and a record of the seat would be one more message that all can
// count. On a new phone explanations are shown again.
//
// It depends on public facts only (parts.ts, Open), because a glance at a phone
// shows whether something is explained there.
import { lessonsOf } from '../games/lessons';
import type { Open } from '../games/parts';
import { browserItem } from '../lib/storage';
import { happenedSince, lastHappening } from '../lib/happened';

/** Waiting explanations of what has happened; of more, the newest are left for another time. */
const WAITING = 2;

/** ms in which an explanation can be read. */
const READ = 20_000;

/** The cards of the lobby. */
export const CARDS = ['about', 'me', 'round'] as const;

export class Tutor {
  readonly #seen = browserItem('lessons:seen');
  readonly #choice = browserItem('lessons');
  #known = $state.raw<ReadonlySet<string>>(new Set((this.#seen.get() ?? '').split(' ').filter((k) => k !== '')));
  #off = $state(this.#choice.get() === 'off');
  #news = $state.raw<readonly string[]>([]);
  #now = $state.raw<readonly string[]>([]);
  #lasting: readonly string[] = [];
  #shown = $state('');
  #stood = 0; // since when
  #before: Open | undefined;
  #game = '';

  /** The player of this phone knows the game. */
  get off(): boolean {
    return this.#off;
  }

  set off(off: boolean) {
    this.#off = off;
    this.#choice.set(off ? 'off' : 'on');
  }

  /** Accepts the state of the game; has returns whether an explanation exists. */
  hear(view: Open, seat: number, has: (key: string) => boolean): void {
    const part = lessonsOf(view);
    const before = this.#before;
    if (before && (before.game !== view.game || lastHappening(view) < lastHappening(before))) this.#forgetGame();
    this.#game = view.game;
    const fresh = (key: string): boolean => has(key) && !this.#known.has(this.#name(key));
    const news = happenedSince(this.#before, view).flatMap((h) => part.after(h, seat, view)).filter(fresh);
    this.#before = view;
    this.#news = [...new Set([...this.#news.filter(fresh), ...news])].slice(0, WAITING);
    this.#now = part.now(view, seat).filter(fresh);
    this.#lasting = part.lasting;
    const due = this.#due();
    // An explanation on the page is replaced only if its moment is over, or it has none, and another
    // is due or it has been there long enough.
    const over = !due.includes(this.#shown) || this.#lasting.includes(this.#shown);
    if (this.#shown === '' || !fresh(this.#shown) || (over && (due.length > 0 || Date.now() - this.#stood > READ))) this.#turn(due);
  }

  /** Drops what another game, or what was taken back, had to explain: it would not be true any more. */
  #forgetGame(): void {
    this.#news = [];
    this.#now = [];
    this.#turn([]);
    this.#before = undefined;
  }

  /** What is to be explained, what has its moment first. */
  #due(): string[] {
    const due = [...this.#news, ...this.#now];
    const lasts = (key: string): boolean => this.#lasting.includes(key);
    return [...due.filter((k) => !lasts(k)), ...due.filter(lasts)];
  }

  /** Whether something has been explained here. */
  knows(key: string): boolean {
    return this.#known.has(this.#name(key));
  }

  /** The explanation to show; '' for none. */
  get shown(): string {
    return this.#off ? '' : this.#shown;
  }

  /** Whether the cards of a game's lobby are still to be read. */
  cards(game: string): boolean {
    return !this.#off && !this.#known.has(`${game}/cards`);
  }

  readCards(game: string): void {
    this.#keep(`${game}/cards`);
  }

  /** Records that an explanation was read, so that it does not come again. */
  read(key: string): void {
    this.#keep(this.#name(key));
    this.#news = this.#news.filter((k) => k !== key);
    this.#now = this.#now.filter((k) => k !== key);
    if (key === this.#shown) this.#turn(this.#due());
  }

  #turn(due: readonly string[]): void {
    const before = this.#shown;
    this.#shown = due[0] ?? '';
    this.#stood = Date.now();
    // The previous explanation was shown for its whole moment; if they are switched off, it was not shown.
    if (!this.#off && before !== '' && before !== this.#shown && !due.includes(before)) this.#keep(this.#name(before));
  }

  /** Stores that an explanation must not come again, not even after a reload. */
  #keep(name: string): void {
    this.#known = new Set([...this.#known, name]);
    // Another tab of this browser may have read something else meanwhile.
    const kept = (this.#seen.get() ?? '').split(' ').filter((k) => k !== '');
    this.#seen.set([...new Set([...kept, ...this.#known])].join(' '));
  }

  #name(key: string): string {
    return `${this.#game}/${key}`;
  }
}

/** The one of this page. */
export const tutor = new Tutor();
