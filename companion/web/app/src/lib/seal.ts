// The page's side of package companion's formats: what is sealed for one seat,
// what that seat seals for the daemon, and the connect password.
// ../../../../seal/testdata/vectors.json binds this file to the daemon's side.
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { MaxView } from '../gen/wire';
import { concatBytes, fromBase64url, encodeText, randomBytes, randomName, decodeUint64, toBase64url, toHex, decodeText,
  encodeUint64 } from './bytes';

const SALT = encodeText('majordome/1');
const VERSION = 1;
const HEADER = 1 + 8 + 8;
const NONCE = 24;
const TAG = 16;
/** Bytes before the body in a plaintext, and around the plaintext in a frame. */
export const LENGTH = 4;
export const OVERHEAD = HEADER + NONCE + TAG;

/** Plaintext sizes in bytes, length included: padding hides what was said. */
export const VIEW_SIZE = MaxView;
export const ACT_SIZE = 1024;

/** Derives one key from a secret; info says what for. */
export function deriveKey(secret: Uint8Array, info: string, size: number): Uint8Array {
  return keyPart(extract(sha256, secret, SALT), info, size);
}

/** One of the keys of what HKDF has made of a secret. */
const keyPart = (made: Uint8Array, info: string, size: number): Uint8Array => expand(sha256, made, encodeText(info), size);

export interface Opened {
  epoch: number;
  number: number;
  body: unknown;
}

/** The three keys and the password of one seat (or of the host). */
export class SeatKey {
  readonly #made: Uint8Array;
  readonly #keys = new Map<string, Uint8Array>();

  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new Error('a seat key has 32 bytes');
    this.#made = extract(sha256, key, SALT);
  }

  /** A key when it is first needed: two of the four are not before the hand is shown. */
  #key(info: 'view' | 'up' | 'reply' | 'connect'): Uint8Array {
    let key = this.#keys.get(info);
    if (!key) this.#keys.set(info, key = keyPart(this.#made, info, 32));
    return key;
  }

  openView(topic: string, payload: Uint8Array): Opened {
    return openFrame(this.#key('view'), topic, payload, VIEW_SIZE);
  }

  openReply(topic: string, payload: Uint8Array): Opened {
    return openFrame(this.#key('reply'), topic, payload, ACT_SIZE);
  }

  sealAct(topic: string, epoch: number, seq: number, act: unknown, nonce = randomBytes(NONCE)): Uint8Array {
    return sealFrame(this.#key('up'), topic, epoch, seq, act, ACT_SIZE, nonce);
  }

  /** The code by which the phone with this key joins once more, to get the next one. */
  renewalCode(): string {
    return toBase64url(keyPart(this.#made, 'renew', 16));
  }

  /** A password for one connect; counter must rise each time. */
  password(clientId: string, counter: number): string {
    const count = encodeUint64(counter);
    const mac = hmac(sha256, this.#key('connect'), concatBytes(encodeText(`connect\0${clientId}\0`), count));
    return toBase64url(concatBytes(count, mac));
  }
}

/** Seals body, padded to size bytes with its length; throws when it is longer. */
export function sealFrame(key: Uint8Array, topic: string, epoch: number, number: number, body: unknown, size: number,
  nonce = randomBytes(NONCE)): Uint8Array
{
  const json = encodeText(JSON.stringify(body));
  if (json.length > size - LENGTH) throw new Error(`more than ${size - LENGTH} bytes`);
  const plain = new Uint8Array(size);
  new DataView(plain.buffer).setUint32(0, json.length);
  plain.set(json, LENGTH);
  const header = concatBytes(Uint8Array.of(VERSION), encodeUint64(epoch), encodeUint64(number));
  const box = xchacha20poly1305(key, nonce, concatBytes(header, encodeText(topic))).encrypt(plain);
  return concatBytes(header, nonce, box);
}

/** Throws unless the payload was sealed under this key for this topic. */
export function openFrame(key: Uint8Array, topic: string, payload: Uint8Array, size: number): Opened {
  if (payload[0] !== VERSION || payload.length - OVERHEAD !== size) throw new Error('not a sealed message');
  const header = payload.subarray(0, HEADER);
  const nonce = payload.subarray(HEADER, HEADER + NONCE);
  const plain = xchacha20poly1305(key, nonce, concatBytes(header, encodeText(topic))).decrypt(payload.subarray(HEADER + NONCE));
  const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
  if (length > plain.length - LENGTH) throw new Error('not a sealed message');
  const body: unknown = JSON.parse(decodeText(plain.subarray(LENGTH, LENGTH + length)));
  return { epoch: decodeUint64(header, 1), number: decodeUint64(header, 9), body };
}

/** What a sealed view says of the names that belong to it. */
export const namesSum = (published: Uint8Array): string => toBase64url(sha256(published).subarray(0, 16));

/** Draws a name for this phone: the end of its client id. */
export const newPhone = (): string => randomName(16);

/** What a phone puts into its join request; its name cannot be found from it. */
export const phoneNonce = (phone: string): Uint8Array => deriveKey(encodeText(phone), 'phone', 16);

/** The bytes of an invitation's code, the part of the link after #j=; throws on anything else. */
export function readCode(code: string): Uint8Array {
  const bytes = fromBase64url(code);
  if (bytes.length !== 16) throw new Error('an invitation has 16 bytes');
  return bytes;
}

/** The name of an invitation in public. */
export const codeId = (code: string): string => toHex(deriveKey(readCode(code), 'join-id', 8));
