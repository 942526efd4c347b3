import { x25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import published from '../../../../seal/testdata/noise.json';
import vectors from '../../../../seal/testdata/vectors.json';
import { fromBase64url, fromHex, randomBytes, toBase64url, toHex } from './bytes';
import { Handshake, Joining, OtherVersion } from './noise';
import { phoneNonce } from './seal';

it('is the published protocol', () => {
  const [first, second] = published.messages.map((m) => ({ payload: fromHex(m.payload), sealed: m.ciphertext }));
  const [phone, own] = [fromHex(published.init_ephemeral), fromHex(published.resp_ephemeral)];
  const begin = () => new Handshake(fromHex(published.init_psks[0]!), fromHex(published.init_prologue));
  const s = begin();
  s.mixPublicKey(x25519.getPublicKey(phone));
  expect(toHex(x25519.getPublicKey(phone)) + toHex(s.seal(first!.payload))).toBe(first!.sealed);
  const their = fromHex(second!.sealed).slice(0, 32);
  s.mixPublicKey(their);
  s.mixKey(x25519.getSharedSecret(phone, their));
  expect(s.open(fromHex(second!.sealed).slice(32))).toEqual(second!.payload);
  expect(toHex(s.hash)).toBe(published.handshake_hash);
  expect(toHex(x25519.getPublicKey(own))).toBe(toHex(their));
});

describe('a phone that joins', () => {
  const v = vectors.join;
  const join = (secret = fromBase64url(v.private)) => new Joining(v.code, phoneNonce(v.phone), secret);

  it('sends what the daemon reads, and reads what the daemon sends', () => {
    const joining = join();
    expect(joining.request).toEqual({ id: v.id, hello: v.request });
    expect(fromBase64url(v.request)[0]).toBe(v.version);
    expect(joining.open(v.box)).toEqual(JSON.parse(v.json));
  });
  it('alone can open the answer: the code and a recording open nothing', () => {
    expect(() => join(randomBytes(32)).open(v.box)).toThrow();
  });
  it('takes no answer that was changed', () => {
    const box = fromBase64url(v.box);
    for (const at of [1, 40, box.length - 1]) {
      const changed = Uint8Array.from(box, (b, i) => (i === at ? b ^ 1 : b));
      expect(() => join().open(toBase64url(changed))).toThrow();
    }
  });
  it('takes no key of low order, of which all know the secret', () => {
    const box = fromBase64url(v.box);
    box.fill(0, 1, 33);
    expect(() => join().open(toBase64url(box))).toThrow();
  });
  it.each([1, 3])('knows an answer of version %i by its first byte', (version) => {
    const box = fromBase64url(v.box);
    box[0] = version;
    expect(() => join().open(toBase64url(box))).toThrow(OtherVersion);
  });
});
