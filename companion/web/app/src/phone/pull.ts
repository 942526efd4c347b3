// A key that is pulled: the finger goes down on it, moves away, and its question opens under the finger, which glides to
// the answer and is lifted there. A tap opens the same question; nobody has to know this way.
import type { Attachment } from 'svelte/attachments';

const FAR = 24; // px after which it is no tap
const LOOK = 300; // ms that the question is open at least, so that a swipe answers nothing

/** Calls open when the key is pulled, and close when the finger is lifted, with the key of the dialog below it. */
export const pulled = (open: () => boolean, close: (to?: HTMLElement) => void): Attachment<HTMLElement> => (key) => {
  let down: PointerEvent | undefined;
  let since = 0; // when it was opened
  const over = ({ clientX, clientY }: PointerEvent) =>
    document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('dialog button') ?? undefined;
  let marked: HTMLElement | undefined;
  const mark = (e?: HTMLElement) => {
    marked?.classList.remove('over');
    (marked = e)?.classList.add('over');
  };
  const end = (to?: HTMLElement) => {
    if (since > 0) close(Date.now() - since < LOOK ? undefined : to);
    mark();
    down = undefined;
    since = 0;
  };
  const press = (e: PointerEvent) => {
    if (!e.isPrimary || e.button !== 0 || key.matches(':disabled')) return;
    if (key.hasPointerCapture?.(e.pointerId)) key.releasePointerCapture(e.pointerId);
    down = e;
  };
  const move = (e: PointerEvent) => {
    if (since > 0) mark(over(e));
    else if (down && Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) > FAR) {
      if (open()) since = Date.now();
      else down = undefined;
    }
  };
  const off = new AbortController();
  key.addEventListener('pointerdown', press, off);
  addEventListener('pointermove', move, off);
  addEventListener('pointerup', (e) => end(over(e)), off);
  for (const name of ['pointercancel', 'blur', 'pagehide']) addEventListener(name, () => end(), off);
  document.addEventListener('visibilitychange', () => end(), off);
  return () => off.abort();
};
