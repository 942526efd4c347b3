// Keeps the screen on while a game runs, where the browser can. The Screen Wake Lock API exists on https and
// localhost only; on plain http an empty video replaces it (film.ts), for which no browser gives a guarantee.
// Safari starts either only in a tap, and hiding the page ends both: so each tap asks again while neither is active.
// A browser may also end them while the page is visible (low battery, a call): then the page says so and asks again after
// a second, the next time after two, at last after a minute. The game survives a sleeping phone anyway.
import type { Film } from './film';

/** What keeps the screen on: a promise of the browser, an attempt of ours, or nothing. */
export type How = 'lock' | 'film' | 'none';

export interface Means {
  lock: Pick<WakeLock, 'request'> | undefined;
  /** Makes the film; ended is called when the browser pauses it, not when its page does. */
  film: (ended: () => void) => Film | undefined;
}

const RETRY = 1000; // ms before a hold that the browser ended is asked for again; doubled each time
const MAX_RETRY = 60_000; // ms

/** The means of this browser. The film is fetched only where it is needed, and before the tap: Safari does not wait in one. */
function ownMeans(): Means {
  const lock = navigator.wakeLock as WakeLock | undefined;
  let make: Means['film'] | undefined;
  if (!lock) void import('./film').then((part) => (make = part.makeFilm)).catch(() => {}); // then the screen may sleep
  return { lock, film: (ended) => make?.(ended) };
}

/** Keeps the screen on until the returned function is called; the first argument is called with the means at each change. */
export function keepAwake(told: (how: How) => void = () => {}, { lock, film: make }: Means = ownMeans()): () => void {
  let held: WakeLockSentinel | undefined;
  let shown: Film | undefined;
  let over = false;
  let wait = RETRY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function hold(from: Pick<WakeLock, 'request'>): Promise<How> {
    const got = await from.request('screen');
    if (over) void got.release();
    got.addEventListener('release', () => got === held && onEnded());
    held = got;
    return 'lock';
  }
  async function play(): Promise<How> {
    shown ??= make(onEnded);
    await shown?.play();
    if (over) end();
    return shown ? 'film' : 'none';
  }
  function end(): void {
    const was = held;
    held = undefined; // its release is ours
    void was?.release();
    shown?.end();
    shown = undefined;
    clearTimeout(timer);
  }
  function ask(begin: () => Promise<How>): void {
    begin().catch((): How => 'none').then((how) => over || told(how)); // a low battery may refuse
  }
  const askAgain = (): void => {
    if (lock) ask(() => hold(lock));
    else if (shown) ask(play);
  };
  // The browser ended it. A hidden page asks when it is seen again.
  function onEnded(): void {
    if (over || document.visibilityState === 'hidden') return;
    told('none');
    clearTimeout(timer);
    timer = setTimeout(askAgain, wait);
    wait = Math.min(2 * wait, MAX_RETRY);
  }
  const tapped = (): void => {
    if (lock ? held && !held.released : shown?.playing) return;
    wait = RETRY;
    ask(lock ? () => hold(lock) : play);
  };
  const turned = (): void => {
    clearTimeout(timer);
    wait = RETRY;
    if (document.visibilityState === 'hidden') shown?.pause();
    else askAgain();
  };
  document.addEventListener('visibilitychange', turned);
  document.addEventListener('click', tapped, true);
  if (lock) turned();
  else told('none'); // a film waits for a tap
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', turned);
    document.removeEventListener('click', tapped, true);
    end();
  };
}
