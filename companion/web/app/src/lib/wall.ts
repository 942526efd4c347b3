// How a phone asks for a seat by the code on the display (companion/pair, "Joining from the display").
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, fromBase64url, toBase64url } from './bytes';
import { deriveKey } from './seal';
import type { Msg } from './wire';

const STATES = ['look', 'wait', 'yours', 'denied', 'busy', 'late', 'old', 'card'] as const;

/** The state of a request for a seat. */
export interface SeatAsk {
  state: (typeof STATES)[number];
  /** The characters that nobody has, and those of players whose seats a phone can have by a card. */
  free: readonly string[];
  held: readonly string[];
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
  /** The table's key: the card of the character was laid. */
  key: string;
}

/** What a player wants: a free character, or the seat of the one that they play already. */
export interface Want {
  name: string;
  character: string;
  plays: boolean;
}

/** The same as the page sends it: the lock of the wish, and what opens that of the wish before. */
export interface Wish extends Want {
  lock: string;
  open: string;
  shown: string;
}

const opener = (secret: Uint8Array, n: number): Uint8Array => deriveKey(secret, `wish ${n}`, 32);
const behindLock = (secret: Uint8Array, n: number): Uint8Array => sha256(opener(secret, n));

/**
 * The nth wish of a phone, counted from 1. What opens a lock is not heard on the network before the next wish. With the table's key
 * the wish shows what its lock has committed the phone to.
 */
export function lockWish(secret: Uint8Array, n: number, { name, character, plays }: Want, key = ''): Wish {
  const behind = behindLock(secret, n);
  return {
    name,
    character,
    plays,
    lock: toBase64url(sha256(behind)),
    open: toBase64url(opener(secret, n - 1)),
    shown: key && toBase64url(behind),
  };
}

/** The figures that the display shows, too, if the table has this phone's key and this phone the table's. */
export function figuresOf(phone: { public: Uint8Array; secret: Uint8Array }, n: number, key: string): string {
  const all = concatBytes(phone.public, fromBase64url(key), behindLock(phone.secret, n));
  return String(deriveKey(all, 'figures', 4).reduce((rest, byte) => (rest * 256 + byte) % 10000, 0)).padStart(4, '0');
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
  return { free: [], held: [], code: '', full: false, seconds: 0, box: '', key: '', ...a, state };
}
