// How a phone asks for a seat by the code on the display (companion/pair, "Joining from the display").
import { toBase64url } from './bytes';
import type { Msg } from './wire';

const STATES = ['look', 'wait', 'yours', 'denied', 'busy', 'late', 'old'] as const;

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

/** Asks with the phone's public key for a seat of the lobby with this code; without a name it only looks. Throws when the daemon does not answer. */
export async function askSeat(key: Uint8Array, wall: string, name: string, character: string,
  post: typeof fetch = fetch): Promise<SeatAsk>
{
  const answer = await post('/ask', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: toBase64url(key), wall, name, character }),
  });
  if (!answer.ok) throw new Error(`/ask: ${answer.status}`);
  const a = (await answer.json()) as Partial<SeatAsk>;
  const state = STATES.find((s) => s === a.state);
  if (state === undefined) throw new Error('/ask: not understood');
  return { free: [], code: '', full: false, seconds: 0, box: '', ...a, state };
}
