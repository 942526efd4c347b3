// The page's side of POST /office: what one device of the host asks, sealed so that nobody else reads or makes it (companion/doc.go).
import { fromText } from '../lib/bytes';
import { LENGTH, OVERHEAD, derive, openFrame, sealFrame } from '../lib/seal';

const TOPIC = 'office';
const BLOCK = 256; // plaintexts are padded to a multiple of it

/** The two keys of a device of the host and the office. */
export class OfficeKey {
  readonly #request: Uint8Array;
  readonly #answer: Uint8Array;

  constructor(key: Uint8Array) {
    this.#request = derive(key, 'office', 32);
    this.#answer = derive(key, 'office-answer', 32);
  }

  seal(epoch: number, number: number, body: unknown, nonce?: Uint8Array): Uint8Array {
    const size = Math.ceil((LENGTH + fromText(JSON.stringify(body)).length) / BLOCK) * BLOCK;
    return sealFrame(this.#request, TOPIC, epoch, number, body, size, nonce);
  }

  /** Throws unless it is the office's answer to request number. */
  open(number: number, payload: Uint8Array): unknown {
    const opened = openFrame(this.#answer, TOPIC, payload, payload.length - OVERHEAD);
    if (opened.number !== number) throw new Error('not the answer');
    return opened.body;
  }
}
