// How a page joins: Noise_NNpsk0_25519_ChaChaPoly_SHA256 (noiseprotocol.org) with the invitation's code as pre-shared key, so that
// neither a photographed code nor a recording opens the answer. ../../../../seal/noise.go is the daemon's side.
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, decodeText, encodeText, fromBase64url, toBase64url } from './bytes';
import { codeId, deriveKey, readCode } from './seal';

const KEY = 32;
const ZERO = new Uint8Array(12); // each key encrypts one payload only

/** One side of the handshake: what both have seen, and the keys of it. */
export class Handshake {
  hash: Uint8Array = sha256(encodeText('Noise_NNpsk0_25519_ChaChaPoly_SHA256'));
  #chain = this.hash;
  #key: Uint8Array = ZERO;

  constructor(psk: Uint8Array, prologue: Uint8Array) {
    this.#mixHash(prologue);
    this.#mixHash(this.#expand(psk, 3).subarray(KEY, 2 * KEY));
  }

  /** A public key that was sent. */
  mixPublicKey(key: Uint8Array): void {
    this.#mixHash(key);
    this.mixKey(key);
  }

  mixKey(secret: Uint8Array): void {
    this.#key = this.#expand(secret, 2).subarray(KEY);
  }

  seal(payload: Uint8Array): Uint8Array {
    const sealed = chacha20poly1305(this.#key, ZERO, this.hash).encrypt(payload);
    this.#mixHash(sealed);
    return sealed;
  }

  open(sealed: Uint8Array): Uint8Array {
    const payload = chacha20poly1305(this.#key, ZERO, this.hash).decrypt(sealed);
    this.#mixHash(sealed);
    return payload;
  }

  #mixHash(seen: Uint8Array): void {
    this.hash = sha256(concatBytes(this.hash, seen));
  }

  #expand(secret: Uint8Array, keys: number): Uint8Array {
    const made = hkdf(sha256, secret, this.#chain, undefined, keys * KEY);
    this.#chain = made.subarray(0, KEY);
    return made;
  }
}

/** How page and daemon agree on the key of the answer, the first byte of request and answer: 1 was by the code alone. */
const VERSION = 2;

/** A daemon that agrees on keys in another way than this page. */
export class OtherVersion extends Error {}

/** Begins the handshake of one joining. */
export const joinHandshake = (code: string): Handshake =>
  new Handshake(deriveKey(readCode(code), 'join-psk', 32), encodeText('majordome/1 join 2'));

/** One joining: the request of a phone with a secret of its own, and the answer to it. */
export class Joining {
  readonly #handshake: Handshake;
  /** What the page sends; the same secret makes the same request. */
  readonly request: { id: string; hello: string };

  constructor(
    code: string,
    nonce: Uint8Array,
    readonly secret: Uint8Array,
  ) {
    const s = (this.#handshake = joinHandshake(code));
    const own = x25519.getPublicKey(secret);
    s.mixPublicKey(own);
    this.request = { id: codeId(code), hello: toBase64url(concatBytes(Uint8Array.of(VERSION), own, s.seal(nonce))) };
  }

  /** Opens the answer, once. */
  open(box: string): unknown {
    const bytes = fromBase64url(box);
    if (bytes[0] !== VERSION) throw new OtherVersion(`an answer of version ${bytes[0]}`);
    const their = bytes.slice(1, 1 + KEY);
    this.#handshake.mixPublicKey(their);
    this.#handshake.mixKey(x25519.getSharedSecret(this.secret, their));
    return JSON.parse(decodeText(this.#handshake.open(bytes.subarray(1 + KEY))));
  }
}
