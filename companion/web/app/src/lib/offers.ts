// From offers to buttons. Every act of every game is drawn from what the daemon
// offers, so a new game has an interface on the day its rules exist.
//
// Offers of the same act are one choice: their fixed arguments and parameters
// are asked one after the other, each with what is still possible after the
// earlier answers.
import type { Args, Offer, Param } from './wire';

/** One button. */
export interface Choice {
  act: string;
  rule: string;
  grave: boolean;
  offers: Offer[];
}

/** One thing to be asked. */
export interface Step {
  name: string;
  kind: string; // as in Param, or 'shown': among the open cards; a text has no options
  options: string[];
  max: number; // bytes of a text
  /** Names of secret things: they show only while a finger holds them. */
  secret: boolean;
}

/**
 * A choice among cards that lie open for all is asked by name, among all of
 * them: which of them are offered can tell what a seat holds (HC-137), so the
 * others stand in the list too, and the daemon refuses those in private.
 */
export function openly(offers: Offer[], shown: readonly string[]): Offer[] {
  const open = (p: Param): boolean => p.kind === 'card' && (p.domain ?? []).length > 0 && (p.domain ?? []).every((c) => shown.includes(c));
  return offers.map((o) => (o.params?.some(open) ? { ...o, params: o.params.map((p) => (open(p) ? { ...p, kind: 'shown', domain: [...shown] } : p)) } : o));
}

/** The buttons, in the order of the offers. */
export function choices(offers: Offer[]): Choice[] {
  const byAct = new Map<string, Choice>();
  for (const o of offers) {
    const known = byAct.get(o.act);
    if (!known) byAct.set(o.act, { act: o.act, rule: o.rule, grave: o.grave === true, offers: [o] });
    else {
      known.offers.push(o);
      known.grave ||= o.grave === true;
    }
  }
  return [...byAct.values()];
}

interface Question {
  name: string;
  kind: string;
  domain: string[];
  max: number;
  fixed: boolean;
}

function questions(o: Offer): Question[] {
  const fixed = Object.entries(o.fixed ?? {}).map(([name, value]) => ({ name, kind: kindOf(value), domain: [value], max: 0, fixed: true }));
  const asked = (o.params ?? []).map((p) => ({ name: p.name, kind: p.kind, domain: p.domain ?? [], max: p.max ?? 0, fixed: false }));
  return [...fixed, ...asked];
}

/** What a fixed value is, by the form of its id. What is not known to be public counts as a card. */
function kindOf(value: string): string {
  if (/^seat-\d+$/.test(value)) return 'seat';
  if (value.startsWith('place-') || value.startsWith('room-')) return 'place';
  if (value.startsWith('character-')) return 'character';
  return value.includes('-') ? 'card' : 'value';
}

/** Cards are secret, unless the choice is among all that lie open. A plain value may be a role. */
const isSecret = (kind: string): boolean => kind === 'card' || kind === 'value';

function fits(o: Offer, chosen: Args): boolean {
  const known = new Map(questions(o).map((q) => [q.name, q]));
  return Object.entries(chosen).every(([name, value]) => {
    const q = known.get(name);
    return q !== undefined && (q.kind === 'text' || q.domain.includes(value));
  });
}

/** What is to be asked next, or the arguments of the act when all is known. */
export function next(choice: Choice, chosen: Args): { step: Step } | { args: Args } {
  const left = choice.offers.filter((o) => fits(o, chosen));
  const open = left.flatMap((o) => questions(o).filter((q) => !(q.name in chosen)));
  const complete = left.find((o) => questions(o).every((q) => q.name in chosen));
  const first = open[0];
  if (complete || !first) return { args: chosen };
  const same = open.filter((q) => q.name === first.name);
  const options = [...new Set(same.flatMap((q) => q.domain))];
  // Nothing to choose: there is one offer, and it says so.
  if (same.every((q) => q.fixed) && options.length === 1) return next(choice, { ...chosen, [first.name]: options[0] ?? '' });
  return { step: { name: first.name, kind: first.kind, options, max: first.max, secret: isSecret(first.kind) } };
}

/** The most bytes of UTF-8 that fit, without cutting a character in two. */
export function clip(text: string, max: number): string {
  if (max <= 0) return text;
  const out: string[] = [];
  let bytes = 0;
  for (const c of text) {
    bytes += new TextEncoder().encode(c).length;
    if (bytes > max) break;
    out.push(c);
  }
  return out.join('');
}

/** A new order, by chance: where a secret option stands must not tell which it is. */
export function shuffled<T>(list: readonly T[], random: () => number = Math.random): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}
