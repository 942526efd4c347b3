// Keeps the screen on while a game runs, where the browser can. The Screen Wake Lock API exists on https and
// localhost only; on plain http a film that shows nothing stands in (film.ts), which no browser promises anything for.
// Safari lets both begin in a tap alone, and whatever hides the page ends them: so each tap asks again where nothing holds.
// The game survives a sleeping phone anyway.
import type { Film } from './film';

/** What keeps the screen on: a promise of the browser, an attempt of ours, or nothing. */
export type How = 'lock' | 'film' | 'none';

export interface Means {
  lock: Pick<WakeLock, 'request'> | undefined;
  film: () => Film | undefined;
}

/** Of this browser. The film is fetched where it is needed alone, and before the tap: Safari does not wait in one. */
function own(): Means {
  const lock = navigator.wakeLock as WakeLock | undefined;
  let make: Means['film'] | undefined;
  if (!lock) void import('./film').then((part) => (make = part.film)).catch(() => {}); // then the screen may sleep
  return { lock, film: () => make?.() };
}

/** Keeps the screen on until the function that it returns is called; told hears by what, at each change. */
export function awake(told: (how: How) => void = () => {}, { lock, film: make }: Means = own()): () => void {
  let held: WakeLockSentinel | undefined;
  let shown: Film | undefined;
  let over = false;

  async function hold(from: Pick<WakeLock, 'request'>): Promise<How> {
    const got = await from.request('screen');
    if (over) void got.release();
    held = got;
    return 'lock';
  }
  async function play(): Promise<How> {
    await (shown ??= make())?.play();
    if (over) end();
    return shown ? 'film' : 'none';
  }
  function end(): void {
    void held?.release();
    shown?.end();
    held = shown = undefined;
  }
  function ask(begin: () => Promise<How>): void {
    begin().catch((): How => 'none').then((how) => over || told(how)); // a low battery may refuse
  }
  const tapped = (): void => {
    if (lock ? held && !held.released : shown?.playing) return;
    ask(lock ? () => hold(lock) : play);
  };
  const turned = (): void => {
    if (document.visibilityState === 'hidden') shown?.pause();
    else if (lock) ask(() => hold(lock));
    else if (shown) ask(play);
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
