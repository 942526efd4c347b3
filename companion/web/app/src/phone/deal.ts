// Checks what the table is committed to (wire.Proof), as package proof computes it, so that the phone need not trust
// the table: what it was shown of the deal is what was dealt.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeText, equalBytes, fromBase64url, toHex } from '../lib/bytes';
import { phoneOf } from '../games/phone';
import type { Update } from '../lib/wire';

const HASH = 32; // bytes
const DEALING = ['roles', 'laying', 'dealing'];

const hash = (tag: number, ...parts: Uint8Array[]): Uint8Array => sha256(concatBytes(Uint8Array.of(tag), ...parts));

/**
 * Whether the deal is right; undefined while there is none, it is going on, or what it should consist of is not known. Each item has
 * one leaf at most, so the table cannot have sealed two versions of it. mystery are the mystery cards of the deck.
 */
export function checkDeal({ view, proof, opened = [] }: Update, mystery: readonly string[]): boolean | undefined {
  if (!proof?.root || DEALING.includes(view.phase)) return undefined;
  const all = fromBase64url(proof.leaves ?? '');
  const leaves = all.length / HASH;
  const { items = [], whole, facts = [] } = phoneOf(view).dealt?.(view, leaves, mystery) ?? {};
  if (items.length === 0) return undefined;
  const seen = new Set<string>();
  const isRight = ({ i, fact, salt }: (typeof opened)[number]): boolean => {
    const [item = ''] = fact.split(' ');
    const isFirst = seen.size < seen.add(item).size;
    return isFirst && (whole ? items[i] === item : items.includes(item))
      && equalBytes(hash(0, fromBase64url(salt), encodeText(fact)), all.subarray(i * HASH, (i + 1) * HASH));
  };
  return toHex(hash(1, all)) === proof.root && (whole ? leaves === items.length : leaves <= items.length)
    && opened.every(isRight) && facts.every((fact) => opened.some((o) => o.fact === fact));
}
