// Seals the deal of a sample, as the daemon does (package proof).
import { sha256 } from '@noble/hashes/sha2.js';
import { KINDS } from '../games/cluedo/case';
import { concatBytes, encodeText, toBase64url, toHex } from '../lib/bytes';
import type { Update } from '../lib/wire';
import { caseNames } from './clueseats';

const hash = (tag: number, ...parts: Uint8Array[]): Uint8Array => sha256(concatBytes(Uint8Array.of(tag), ...parts));

/** The facts of a deal that a seat knows, by their items. */
function knownFacts({ me, result, case: table }: Update['view']): Map<string, string> {
  const own = `seat-${me?.seat ?? 0}`;
  if (!table) return new Map(me?.role ? [[own, me.role]] : []);
  return new Map([
    ...(me?.hand ?? []).map((c): [string, string] => [c.card, own]),
    ...(result?.solution ?? []).map((card): [string, string] => [card, 'envelope']),
  ]);
}

/** The facts of a whole deal by the machine, in their order: of those that the seat does not know the value is "unknown". */
export function dealtFacts({ view }: Update): string[] {
  const known = knownFacts(view);
  const items = view.case
    ? caseNames().filter((n) => KINDS.some((kind) => kind === n.kind)).map((n) => n.id)
    : view.seats.map((s) => `seat-${s.seat}`);
  return items.sort().map((item) => `${item} ${known.get(item) ?? 'unknown'}`);
}

/** Commits an update to a deal, and opens to its seat what it knows; so many phones have checked it. */
export function sealDeal(u: Update, checked: number, salt = 1, facts = dealtFacts(u)): Update {
  const salts = facts.map((_, i) => new Uint8Array(16).fill(salt + i));
  const leaves = facts.map((fact, i) => hash(0, salts[i]!, encodeText(fact)));
  u.opened = facts.map((fact, i) => ({ i, fact, salt: toBase64url(salts[i]!) })).filter((o) => !o.fact.endsWith(' unknown'));
  u.proof = {
    game: 1,
    root: toHex(hash(1, ...leaves)),
    leaves: toBase64url(concatBytes(...leaves)),
    head: toHex(hash(2, ...leaves)),
    checked: Array.from({ length: checked }, (_, i) => `seat-${i + 1}.4`),
  };
  return u;
}
