// Seals the deal of a sample, as the daemon does (package proof).
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeText, toBase64url, toHex } from '../lib/bytes';
import type { Update } from '../lib/wire';

const hash = (tag: number, ...parts: Uint8Array[]): Uint8Array => sha256(concatBytes(Uint8Array.of(tag), ...parts));

/**
 * Commits an update to its seat's hand, to the solution that it shows and to two cards that the seat does not know; so many
 * phones have checked it.
 */
export function sealDeal(u: Update, checked: number, salt = 1): Update {
  const hand = u.view.me?.hand.map((c) => `${c.card} seat-${u.view.me!.seat}`) ?? [];
  const own = [...hand, ...(u.view.result?.solution ?? []).map((card) => `${card} envelope`)];
  const facts = [...own, 'card-x seat-1', 'card-y seat-2'];
  const salts = facts.map((_, i) => new Uint8Array(16).fill(salt + i));
  const leaves = facts.map((fact, i) => hash(0, salts[i]!, encodeText(fact)));
  u.opened = own.map((fact, i) => ({ i, fact, salt: toBase64url(salts[i]!) }));
  u.proof = {
    root: toHex(hash(1, ...leaves)),
    leaves: toBase64url(concatBytes(...leaves)),
    head: toHex(hash(2, ...leaves)),
    checked,
  };
  return u;
}
