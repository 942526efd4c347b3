// A beat of 7.5 s that goes on while the tab is hidden: a browser slows the timers of
// a hidden page to one a minute, those of a worker it does not. One worker serves the page; it
// starts when the page has had time to open.

const OPENING = 3000; // ms

const hearers = new Set<() => void>();
let started = false;

/** Calls f at each beat, until the function that it returns is called. */
export function onBeat(f: () => void): () => void {
  hearers.add(f);
  if (!started) setTimeout(startWorker, OPENING);
  started = true;
  return () => void hearers.delete(f);
}

function startWorker(): void {
  new Worker(new URL('./beat.worker.ts', import.meta.url)).onmessage = () => {
    for (const f of hearers) f();
  };
}
