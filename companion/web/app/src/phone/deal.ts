// Checks what the table is committed to (wire.Proof), as package proof computes it, so that the phone need not trust
// the table: what it was shown of the deal is what was dealt.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, encodeText, fromBase64url, toBase64url } from '../lib/bytes';
import { SawEnvelope, SawShown, SawThere } from '../gen/engine';
import type { Update, View } from '../lib/wire';

const HASH = 32; // bytes
const DEALING = ['roles', 'laying', 'dealing'];

const hash = (tag: number, ...parts: Uint8Array[]): string => toBase64url(sha256(concatBytes(Uint8Array.of(tag), ...parts)));

/** What a view says of a deal without real cards: the mystery cards that it shows, each with its place. */
function shownCards({ me, result }: View): [card: string, at: string][] {
  const all = (cards: readonly string[], at: string): [string, string][] => cards.map((card) => [card, at]);
  return [
    ...all(result?.solution ?? [], 'envelope'),
    ...all(me?.hand.map((c) => c.card) ?? [], `seat-${me?.seat ?? 0}`),
    ...(me?.seen ?? []).flatMap(({ how, cards, other, place }) => {
      const at = { [SawShown]: `seat-${other ?? 0}`, [SawThere]: place, [SawEnvelope]: 'envelope' }[how];
      return at === undefined ? [] : all(cards, at);
    }),
  ];
}

/** Whether the deal is right; undefined while there is none, or it is going on. mystery are the mystery cards of the deck. */
export function checkDeal({ view, proof, opened = [] }: Update, mystery: readonly string[]): boolean | undefined {
  if (!proof?.root || DEALING.includes(view.phase)) return undefined;
  const all = fromBase64url(proof.leaves ?? '');
  const leaf = (i: number): string => toBase64url(all.subarray(i * HASH, (i + 1) * HASH));
  const isOpen = ({ i, fact, salt }: (typeof opened)[number]): boolean => hash(0, fromBase64url(salt), encodeText(fact)) === leaf(i);
  if (hash(1, all) !== proof.root || !opened.every(isOpen)) return false;
  // Each card that the machine has dealt and shows is opened, and the role if every seat has drawn one.
  const facts = opened.map((o) => o.fact);
  if (view.case) {
    return !view.case.virtual || shownCards(view).every(([card, at]) => !mystery.includes(card) || facts.includes(`${card} ${at}`));
  }
  return !view.me?.role || all.length !== view.seats.length * HASH || facts.includes(`seat-${view.me.seat} ${view.me.role}`);
}
