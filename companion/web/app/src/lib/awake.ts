// Keeps the screen on while a game runs, where the browser can: the Screen Wake
// Lock API exists on https and localhost only. Elsewhere nothing happens, and
// the game survives a sleeping phone anyway.

/** Keeps the screen on until the function that it returns is called. */
export function awake(wakeLock: Pick<WakeLock, 'request'> | undefined = navigator.wakeLock): () => void {
  if (!wakeLock) return () => {};
  let lock: Promise<WakeLockSentinel | undefined> | undefined;
  let over = false;
  // The browser takes the lock back whenever the page is hidden.
  const ask = (): void => {
    if (over || document.visibilityState === 'hidden') return;
    lock = wakeLock.request('screen').catch(() => undefined); // a low battery may refuse
  };
  document.addEventListener('visibilitychange', ask);
  ask();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', ask);
    void lock?.then((l) => l?.release());
  };
}
