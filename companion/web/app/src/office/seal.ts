// The page's side of POST /office: a request of one device of the host, encrypted so that no one else can read or forge it
// (companion/doc.go).
import { encodeText } from '../lib/bytes';
import { LENGTH, OVERHEAD, deriveKey, openFrame, sealFrame } from '../lib/seal';

const TOPIC = 'office';
const BLOCK = 256; // plaintexts are padded to a multiple of it

/** The two keys that a device of the host shares with the office: one for requests, one for answers. */
export class OfficeKey {
  readonly #request: Uint8Array;
  readonly #answer: Uint8Array;

  constructor(key: Uint8Array) {
    this.#request = deriveKey(key, 'office', 32);
    this.#answer = deriveKey(key, 'office-answer', 32);
  }

  seal(epoch: number, number: number, body: unknown, nonce?: Uint8Array): Uint8Array {
    const size = Math.ceil((LENGTH + encodeText(JSON.stringify(body)).length) / BLOCK) * BLOCK;
    return sealFrame(this.#request, TOPIC, epoch, number, body, size, nonce);
  }

  /** Throws unless it is the office's answer to request number. */
  open(number: number, payload: Uint8Array): unknown {
    const opened = openFrame(this.#answer, TOPIC, payload, payload.length - OVERHEAD);
    if (opened.number !== number) throw new Error('not the answer');
    return opened.body;
  }
}
