// Press and hold: a secret shows while a finger, the mouse or the space bar
// holds it, and at no other time. Lifting, leaving, a loss of focus, a hidden
// page and a second secret turn it back at once.
import type { Attachment } from 'svelte/attachments';

class Held {
  #what = $state<string | undefined>();
  #locked = $state(false);

  /** Whether anything is shown now: the rest of the screen dims. */
  get any(): boolean {
    return this.#what !== undefined;
  }

  is(what: string): boolean {
    return this.#what === what;
  }

  show(what: string): void {
    this.#what = what;
    this.#locked = false;
  }

  /** Shown without a finger, for a player without neighbours. All that hides a held secret hides this one, too. */
  get locked(): boolean {
    return this.#locked;
  }

  lock(what: string): void {
    this.#what = what;
    this.#locked = true;
  }

  /** Turns this one back, or whatever is shown. */
  hide(what?: string): void {
    if (what !== undefined && this.#what !== what) return;
    this.#what = undefined;
    this.#locked = false;
  }
}

/** One pair of eyes, one secret at a time. */
export const held = new Held();

const isKey = (e: KeyboardEvent): boolean => e.key === ' ' || e.key === 'Enter';

/**
 * Makes an element reveal what as long as it is held. With onglide the finger may leave it within the dialog; that is
 * called with the element from which the finger is lifted.
 */
export const revealWhileHeld = (what: () => string, onglide?: (to: Element) => void): Attachment<HTMLElement> => (element) => {
  const reach = (onglide && element.closest('dialog')) ?? element;
  const hide = () => held.hide(what());
  const up = (e: PointerEvent) => {
    const over = held.is(what()) && e.target instanceof Element && !element.contains(e.target) ? e.target : undefined;
    hide();
    if (over) onglide?.(over);
  };
  const down = (e: PointerEvent) => {
    if (!e.isPrimary || e.button !== 0) return;
    // A finger is captured by what it touches; without this, leaving would not be noticed.
    if (element.hasPointerCapture?.(e.pointerId)) element.releasePointerCapture(e.pointerId);
    held.show(what());
  };
  const keydown = (e: KeyboardEvent) => {
    if (!isKey(e)) return;
    e.preventDefault(); // the space bar would scroll, Enter would click
    if (!e.repeat) held.show(what());
  };
  const keyup = (e: KeyboardEvent) => isKey(e) && hide();
  const menu = (e: Event) => e.preventDefault(); // a long press opens one on Android
  const events: [string, (e: never) => void][] = [
    ['pointerdown', down],
    ['keydown', keydown],
    ['keyup', keyup],
    ['blur', hide],
    ['contextmenu', menu],
    ['dragstart', menu],
  ];
  element.dataset['hold'] = '';
  const end = new AbortController();
  for (const [name, f] of events) element.addEventListener(name, f as EventListener, end);
  for (const name of ['pointerleave', 'pointercancel', 'lostpointercapture']) reach.addEventListener(name, hide, end);
  reach.addEventListener('pointerup', up as EventListener, end);
  window.addEventListener('blur', hide, end);
  window.addEventListener('pagehide', hide, end);
  document.addEventListener('visibilitychange', hide, end);
  return () => {
    hide();
    end.abort();
  };
};
