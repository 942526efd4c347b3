// The bench's own connection to the daemon: a stream of the states of the simulated
// table, one JSON object a line, and the acts of a hand at it. Both need the
// bench's token, which is behind # in the address and so in no request for a page.
//
// Limits: a line of at most 256 KiB; a retry every second.
import type { Bench, BenchAct } from '../gen/wire';
import { lastLines } from '../lib/lines';
import type { Reject } from '../lib/wire';

const RETRY = 1000; // ms

/** Go writes an empty list as null; the page wants lists. */
export function readBench(line: string): Bench {
  const b = JSON.parse(line) as Bench;
  b.cards ??= [];
  b.pawns ??= [];
  b.strips ??= [];
  for (const s of b.strips) s.pixels ??= [];
  b.players ??= [];
  b.readers ??= [];
  if (b.play) b.play.mine ??= [];
  return b;
}

/** Whether two tables differ at most in their light, which flickers many times a second. */
export function isSameBench(a: Bench, b: Bench): boolean {
  return JSON.stringify({ ...a, strips: [] }) === JSON.stringify({ ...b, strips: [] });
}

/** Not let in: the token is missing or wrong. */
export class NoToken extends Error {}

/** So many windows show the table that there is no room for one more. */
export class Full extends Error {}

export interface Listener {
  bench(b: Bench): void;
  /** false when the stream broke, or where there is no room for it; true when it runs again. */
  live(on: boolean, full: boolean): void;
  /** The token is wrong; nothing more will come. */
  denied(): void;
}

/** Follows the stream until the signal is aborted, and reconnects after each break. */
export async function followBench(token: string, to: Listener, signal: AbortSignal, get: typeof fetch = fetch): Promise<void> {
  while (!signal.aborted) {
    let full = false;
    try {
      await readStream(token, to, signal, get);
    } catch (e) {
      if (e instanceof NoToken) {
        to.denied();
        return;
      }
      full = e instanceof Full;
    }
    if (signal.aborted) return;
    to.live(false, full);
    await new Promise((done) => setTimeout(done, RETRY));
  }
}

async function readStream(token: string, to: Listener, signal: AbortSignal, get: typeof fetch): Promise<void> {
  const answer = await get('/bench/events', { headers: { Authorization: `Bearer ${token}` }, cache: 'no-store', signal });
  if (answer.status === 401 || answer.status === 403) throw new NoToken('bench: not let in');
  if (answer.status === 503) throw new Full('bench: full');
  if (!answer.ok || answer.body === null) throw new Error(`bench: ${answer.status}`);
  to.live(true, false);
  await lastLines(answer.body, (line) => to.bench(readBench(line)));
}

/** Sends one act; returns the refusal if the daemon refuses it, and throws if it cannot be reached. */
export async function sendAct(token: string, act: BenchAct, post: typeof fetch = fetch): Promise<Reject | undefined> {
  const answer = await post('/bench/act', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(act),
  });
  if (answer.ok) return undefined;
  if (answer.status === 400) return (await answer.json()) as Reject;
  throw new Error(`bench: ${answer.status}`);
}
