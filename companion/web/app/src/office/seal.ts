// The page's side of POST /office: what one device of the host asks, sealed so that nobody else reads or makes it (companion/doc.go).
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { concat, fromText, random, readUint64, toText, uint64 } from '../lib/bytes';
import { derive } from '../lib/seal';

const VERSION = 1;
const HEADER = 1 + 8 + 8;
const NONCE = 24;
const TAG = 16;
const LENGTH = 4;
const BLOCK = 256; // plaintexts are padded to a multiple of it

const bound = (header: Uint8Array): Uint8Array => concat(header, fromText('office'));

/** The two keys of a device of the host and the office. */
export class OfficeKey {
  readonly #request: Uint8Array;
  readonly #answer: Uint8Array;

  constructor(key: Uint8Array) {
    this.#request = derive(key, 'office', 32);
    this.#answer = derive(key, 'office-answer', 32);
  }

  seal(epoch: number, number: number, body: unknown, nonce = random(NONCE)): Uint8Array {
    const json = fromText(JSON.stringify(body));
    const plain = new Uint8Array(Math.ceil((LENGTH + json.length) / BLOCK) * BLOCK);
    new DataView(plain.buffer).setUint32(0, json.length);
    plain.set(json, LENGTH);
    const header = concat(Uint8Array.of(VERSION), uint64(epoch), uint64(number));
    return concat(header, nonce, xchacha20poly1305(this.#request, nonce, bound(header)).encrypt(plain));
  }

  /** Throws unless it is the office's answer to request number. */
  open(number: number, payload: Uint8Array): unknown {
    const header = payload.subarray(0, HEADER);
    const nonce = payload.subarray(HEADER, HEADER + NONCE);
    if (payload.length < HEADER + NONCE + TAG || header[0] !== VERSION || readUint64(header, 9) !== number) throw new Error('not the answer');
    const plain = xchacha20poly1305(this.#answer, nonce, bound(header)).decrypt(payload.subarray(HEADER + NONCE));
    const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
    return JSON.parse(toText(plain.subarray(LENGTH, LENGTH + length)));
  }
}
