// Checks what the table is committed to (wire.Proof), as package proof computes it, so that the phone need not trust
// the table: what it was shown of the deal is what was dealt.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeText, equalBytes, fromBase64url, toHex } from '../lib/bytes';
import { phoneOf } from '../games/phone';
import { PhaseDealing, PhaseLaying, PhaseRoles, type Update } from '../lib/wire';

const HASH = 32; // bytes
export const AGAIN = ' again';
const DEALING: readonly string[] = [PhaseRoles, PhaseLaying, PhaseDealing]; // as View.IsDealing

/** Hashes parts with a tag that says what they are, as package proof does. */
export const hash = (tag: number, ...parts: Uint8Array[]): Uint8Array => sha256(concatBytes(Uint8Array.of(tag), ...parts));

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
  const seed = proof.seed ? [hash(5, encodeText([proof.seed.table, ...(proof.seed.phones ?? [])].join(' ')))] : [];
  return toHex(hash(1, all, ...seed)) === proof.root && (whole ? leaves === items.length : leaves <= items.length)
    && opened.every(isRight) && facts.every((fact) => opened.some((o) => o.fact === fact));
}

/**
 * What a phone keeps of the deal after an update: the game, the last happening and the root when it first saw that root right, and
 * "again" once another root, or none, has taken its place. It forgets that only when the public story has gone back to before that
 * happening, or tells of another game.
 */
export function keepDeal(last: string, { view, proof }: Update, right: boolean | undefined): string {
  const n = view.happened.at(-1)?.n ?? 0;
  const [game, since, root] = last.split(' ');
  if (root !== undefined && n >= Number(since) && (proof?.game ?? Number(game)) === Number(game)) {
    return proof?.root === root || last.endsWith(AGAIN) ? last : last + AGAIN;
  }
  return right ? `${proof?.game ?? 0} ${n} ${proof?.root ?? ''}` : '';
}
