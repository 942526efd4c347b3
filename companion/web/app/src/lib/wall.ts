// How a phone asks for a seat by the code on the display (companion/pair, "Joining from the display").
import { sha256 } from '@noble/hashes/sha2.js';
import { toBase64url } from './bytes';
import { deriveKey } from './seal';
import type { Msg } from './wire';

const STATES = ['look', 'wait', 'yours', 'denied', 'busy', 'late', 'old', 'card'] as const;

/** The state of a request for a seat. */
export interface SeatAsk {
  state: (typeof STATES)[number];
  /** The characters that nobody has. */
  free: readonly string[];
  /** The code that the host's page shows too. */
  code: string;
  /** It waits, but no seat is free. */
  full: boolean;
  /** Why its player cannot have what they ask for. */
  why?: Msg;
  /** Until it may ask again. */
  seconds: number;
  /** The code of the invitation, encrypted for this phone. */
  box: string;
}

/** What a player wants, as the page sends it: the lock of the wish, and what opens that of the wish before. */
export interface Wish {
  name: string;
  character: string;
  lock: string;
  open: string;
}

/** The nth wish of a phone, counted from 1. What opens a lock is not heard on the network before the next wish. */
export function lockWish(secret: Uint8Array, n: number, name: string, character: string): Wish {
  const opener = (i: number) => deriveKey(secret, `wish ${i}`, 32);
  return { name, character, lock: toBase64url(sha256(sha256(opener(n)))), open: toBase64url(opener(n - 1)) };
}

/** Asks with the phone's public key for a seat of the lobby with this code; without a name it only looks. Throws when the daemon does not answer. */
export async function askSeat(key: Uint8Array, wall: string, wish: Wish, post: typeof fetch = fetch): Promise<SeatAsk> {
  const answer = await post('/ask', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: toBase64url(key), wall, ...wish }),
  });
  if (!answer.ok) throw new Error(`/ask: ${answer.status}`);
  const a = (await answer.json()) as Partial<SeatAsk>;
  const state = STATES.find((s) => s === a.state);
  if (state === undefined) throw new Error('/ask: not understood');
  return { free: [], code: '', full: false, seconds: 0, box: '', ...a, state };
}
