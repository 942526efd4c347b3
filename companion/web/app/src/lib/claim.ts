// How a phone becomes the host's: it asks, and what is done at the table with a card answers
// (companion/pair, "Who becomes the host").
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { concatBytes, fromBase64url, randomBytes, toBase64url } from './bytes';
import { deriveKey } from './seal';

const STATES = ['free', 'screen', 'wifi', 'busy', 'later', 'lay', 'over', 'yours', 'taken', 'wait', 'denied', 'full'] as const;

/** The state of a claim. */
export interface Claim {
  state: (typeof STATES)[number];
  /** How often to put the card on the reader: numbers to do in turn. The two counters: complete numbers, and presentations for the next. */
  numbers: readonly number[];
  at: number;
  laid: number;
  /** Numbers that were not those, so far. */
  wrong: number;
  seconds: number;
  box: string;
  /** The code that the host's page shows too, while the host is asked and no other device is ahead. */
  code: string;
  /** Devices whose turn comes first. */
  ahead: number;
  /** Other devices wait for their turn: `seconds` is then the time until one of them may replace this one on the host's page. */
  turns?: boolean;
  /** The screen of Majordome's own computer shows a code, too. */
  screen?: boolean;
}

const PUBLIC = 32;
const NONCE = 24;

/** One request to become the host's device, or for a seat: its key pair, and the decryption of the answer. */
export class Asker {
  readonly public: Uint8Array;

  constructor(readonly secret: Uint8Array = randomBytes(PUBLIC)) {
    this.public = x25519.getPublicKey(secret);
  }

  /** The invitation's code, as in a link after #j=. Throws on anything that was not sealed for this key, and by the table's key if that is given. */
  open(box: string, by = ''): string {
    const bytes = fromBase64url(box);
    const their = by ? fromBase64url(by) : bytes.subarray(0, PUBLIC);
    const key = deriveKey(x25519.getSharedSecret(this.secret, their), 'claim-box', 32);
    const sealed = xchacha20poly1305(key, bytes.subarray(PUBLIC, PUBLIC + NONCE), concatBytes(their, this.public));
    return toBase64url(sealed.decrypt(bytes.subarray(PUBLIC + NONCE)));
  }

  /** Returns the state of the claim; with ask it begins one if there is none. Throws when the daemon does not answer. */
  async hear(ask: boolean, post: typeof fetch = fetch): Promise<Claim> {
    const answer = await post('/claim', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: toBase64url(this.public), ask }),
    });
    if (!answer.ok) throw new Error(`/claim: ${answer.status}`);
    const c = (await answer.json()) as Partial<Claim>;
    const state = STATES.find((s) => s === c.state);
    if (state === undefined) throw new Error('/claim: not understood');
    return { numbers: [], at: 0, laid: 0, wrong: 0, seconds: 0, box: '', code: '', ahead: 0, ...c, state };
  }
}
