// One hand at the simulated table, by mouse, finger, pen or keyboard.
//
// 	press and move   moves the card (and all marked ones) or the pawn
// 	press and hold   shows the face while it lasts
// 	tap, or Enter    opens the menu of spots
// 	twice, or right  turns the card over
// 	with Shift       marks a card, so that several move together
import type { Attachment } from 'svelte/attachments';

const SLOP = 6; // px that a finger may tremble
const HOLD = 300; // ms until a press shows the face
const TWICE = 320; // ms between two taps that turn a card over

/** The things that the hand holds: cards by their tags, or the pawn of a seat. */
export type Held = { is: 'cards'; tags: readonly string[] } | { is: 'pawn'; seat: number };

/** The acts of a hand. */
export interface Doing {
  drop(held: Held, spot: string): void;
  flip(tag: string): void;
}

/** The spot under a point of the screen. */
export function spotUnder(x: number, y: number): string {
  const spot = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-spot]');
  return spot?.dataset['spot'] ?? '';
}

export class Drag {
  /** A hand is down: the page must not move under it. */
  down = $state(false);
  /** The things that follow the pointer now. */
  held = $state.raw<Held | undefined>();
  x = $state(0);
  y = $state(0);
  over = $state('');
  /** The tag of the card whose face is shown. */
  peek = $state<string | undefined>();
  marked = $state.raw<ReadonlySet<string>>(new Set());
  /** The things that the menu is open for. */
  asking = $state.raw<Held | undefined>();

  readonly #do: Doing;
  readonly #under: (x: number, y: number) => string;
  #start: { id: number; x: number; y: number; what: Held } | undefined;
  #holding: ReturnType<typeof setTimeout> | undefined;
  #tapped: { tag: string; timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(doing: Doing, under = spotUnder) {
    this.#do = doing;
    this.#under = under;
  }

  /** Lets the hand take an element. */
  take = (what: () => Held): Attachment<HTMLElement> => (element) => {
    const down = (e: PointerEvent) => {
      if (!e.isPrimary || e.button !== 0) return;
      element.setPointerCapture(e.pointerId);
      this.press(e.pointerId, e.clientX, e.clientY, what());
    };
    const move = (e: PointerEvent) => this.move(e.pointerId, e.clientX, e.clientY);
    const up = (e: PointerEvent) => this.lift(e.pointerId, e.shiftKey);
    const stop = (e: PointerEvent) => this.cancel(e.pointerId);
    const click = (e: MouseEvent) => {
      if (e.detail === 0) this.ask(what(), e.shiftKey); // from the keyboard: pointers are handled above
    };
    const menu = (e: MouseEvent) => {
      e.preventDefault();
      const it = what();
      // A long press of a finger opens a context menu too; it is to show the face.
      if (it.is === 'cards' && this.#start === undefined && this.peek === undefined) this.#turn(it);
    };
    const end = new AbortController();
    element.addEventListener('pointerdown', down, end);
    element.addEventListener('pointermove', move, end);
    element.addEventListener('pointerup', up, end);
    element.addEventListener('pointercancel', stop, end);
    element.addEventListener('lostpointercapture', stop, end);
    element.addEventListener('click', click, end);
    element.addEventListener('contextmenu', menu, end);
    return () => end.abort();
  };

  press(id: number, x: number, y: number, what: Held): void {
    this.#start = { id, x, y, what };
    this.down = true;
    clearTimeout(this.#holding);
    if (what.is === 'cards') this.#holding = setTimeout(() => (this.peek = what.tags[0]), HOLD);
  }

  move(id: number, x: number, y: number): void {
    const start = this.#start;
    if (start?.id !== id) return;
    if (this.held === undefined) {
      if (Math.hypot(x - start.x, y - start.y) <= SLOP) return;
      clearTimeout(this.#holding);
      this.peek = undefined;
      this.held = this.#with(start.what);
    }
    this.x = x;
    this.y = y;
    this.over = this.#under(x, y);
  }

  lift(id: number, shift = false): void {
    const start = this.#start;
    if (start?.id !== id) return;
    const { held, over, peek } = this;
    this.cancel(id);
    if (held !== undefined) {
      if (over === '') return;
      this.marked = new Set();
      this.#do.drop(held, over);
    } else if (peek === undefined) this.#tap(start.what, shift);
  }

  cancel(id: number): void {
    if (this.#start?.id !== id) return;
    this.#start = undefined;
    this.down = false;
    clearTimeout(this.#holding);
    this.held = undefined;
    this.peek = undefined;
    this.over = '';
  }

  /** Puts everything back and closes the menu. */
  release(): void {
    if (this.#start !== undefined) this.cancel(this.#start.id);
    if (this.#tapped !== undefined) clearTimeout(this.#tapped.timer);
    this.#tapped = undefined;
    this.answer();
  }

  /** Opens the menu of spots; with Shift it marks instead. */
  ask(what: Held, shift = false): void {
    if (shift) this.#mark(what);
    else this.asking = this.#with(what);
  }

  /** Moves the things of the menu to the chosen spot; without a spot it only closes the menu. */
  answer(spot?: string): void {
    const asked = this.asking;
    this.asking = undefined;
    this.peek = undefined;
    if (asked === undefined || spot === undefined) return;
    this.marked = new Set();
    this.#do.drop(asked, spot);
  }

  /** Turns over the card that the menu is open for. */
  flip(): void {
    const asked = this.asking;
    this.answer();
    if (asked !== undefined) this.#turn(asked);
  }

  /** Marks the card of the menu, so that it moves together with another one. */
  keep(): void {
    const asked = this.asking;
    this.answer();
    if (asked?.is === 'cards') this.marked = new Set([...this.marked, ...asked.tags]);
  }

  #tap(what: Held, shift: boolean): void {
    if (shift || what.is === 'pawn') return this.ask(what, shift);
    const tag = what.tags[0] ?? '';
    const before = this.#tapped;
    if (before !== undefined) clearTimeout(before.timer);
    this.#tapped = undefined;
    if (before?.tag === tag) return this.#turn(what);
    const timer = setTimeout(() => {
      this.#tapped = undefined;
      this.ask(what);
    }, TWICE);
    this.#tapped = { tag, timer };
  }

  #turn(what: Held): void {
    const tag = what.is === 'cards' ? what.tags[0] : undefined;
    if (tag !== undefined) this.#do.flip(tag);
  }

  #mark(what: Held): void {
    if (what.is !== 'cards') return;
    const marked = new Set(this.marked);
    for (const t of what.tags) if (!marked.delete(t)) marked.add(t);
    this.marked = marked;
  }

  /** Adds the marked cards to the card that is taken. */
  #with(what: Held): Held {
    if (what.is !== 'cards' || this.marked.size === 0) return what;
    return { is: 'cards', tags: [...new Set([...what.tags, ...this.marked])] };
  }
}
