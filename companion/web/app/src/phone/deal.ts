// Checks what the table is committed to (wire.Proof), as package proof computes it, so that the phone need not trust
// the table: what it was shown of the deal is what was dealt.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeText, equalBytes, fromBase64url, toHex } from '../lib/bytes';
import { phoneOf } from '../games/phone';
import type { Update } from '../lib/wire';

const HASH = 32; // bytes
const DEALING = ['roles', 'laying', 'dealing'];

const hash = (tag: number, ...parts: Uint8Array[]): Uint8Array => sha256(concatBytes(Uint8Array.of(tag), ...parts));

/** Whether the deal is right; undefined while there is none, or it is going on. mystery are the mystery cards of the deck. */
export function checkDeal({ view, proof, opened = [] }: Update, mystery: readonly string[]): boolean | undefined {
  if (!proof?.root || DEALING.includes(view.phase)) return undefined;
  const all = fromBase64url(proof.leaves ?? '');
  const isOpen = ({ i, fact, salt }: (typeof opened)[number]): boolean =>
    equalBytes(hash(0, fromBase64url(salt), encodeText(fact)), all.subarray(i * HASH, (i + 1) * HASH));
  if (toHex(hash(1, all)) !== proof.root || !opened.every(isOpen)) return false;
  const facts = opened.map((o) => o.fact);
  return (phoneOf(view).dealt?.(view, all.length / HASH, mystery) ?? []).every((fact) => facts.includes(fact));
}
