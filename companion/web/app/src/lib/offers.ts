// From offers to buttons. Every act of every game is drawn from what the daemon
// offers, so a new game has an interface on the day its rules exist.
//
// Offers of the same act are one choice: their fixed arguments and parameters
// are asked one after the other, each with what is still possible after the
// earlier answers.
//
// What shows without a finger must not tell a secret. A choice among the cards
// of a hand, of a tray or among those that lie open therefore lists all of them,
// a public number; those that are not offered stand in the list as off.
import { type Args, type Offer, type Param, Unnamed, type View } from './wire';

/** One button. */
export interface Choice {
  act: string;
  /** The button's own name, where one act has several; '' otherwise. */
  as: string;
  rule: string;
  grave: boolean;
  offers: Widened[];
}

/** One thing to be asked. */
export interface Step {
  name: string;
  kind: string; // as in Param, or 'shown': among the open cards; a text has no options
  options: string[];
  off: string[]; // options that are listed and not offered
  plain: string[]; // answers that name nothing: each a button of its own; '' leaves the argument out
  max: number; // bytes of a text
  /** Names of secret things: they show only while a finger holds them. */
  secret: boolean;
}

/** A parameter as it is asked. */
export interface WideParam extends Param {
  all?: string[]; // what is listed, when that is more than the domain
  open?: boolean; // asked by name, whatever its kind
}
/** An offer as it is asked. Offers of one act and one name are one choice. */
export type Widened = Omit<Offer, 'params'> & { params?: WideParam[]; as?: string };

/** Answers that name nothing, and so need no cover. */
const PLAIN: ReadonlySet<string> = new Set([Unnamed, 'unknown']);

/** A fixed argument of this name is no question but a warning to be confirmed. */
export const CONFIRM = 'confirm';

/** What decides how a choice is listed. */
export type Sets = Pick<View, 'shown' | 'gone'> & { me?: Pick<NonNullable<View['me']>, 'hand' | 'tray'> };

/** Says what lies face up already: a clue found in the opened urn. */
const isOpen = (o: Offer): boolean => o.act === 'show';

/**
 * A choice among cards that lie open for all is asked by name, among all of
 * them: which of them are offered can tell what a seat holds (HC-137), so the
 * others stand in the list too, and the daemon refuses those in private. A
 * choice in the hand or the tray lists the whole hand or tray (HC-045). deck is
 * every card that can be shown.
 */
export function fairly(offers: readonly Offer[], { shown, gone, me }: Sets, deck: readonly string[] = []): Widened[] {
  const sets = [shown, me?.tray ?? [], me?.hand.map((c) => c.card) ?? []];
  const widen = (o: Offer, p: Param): WideParam => {
    const domain = p.domain ?? [];
    if (isOpen(o)) {
      const all = p.kind === 'card' && deck.length > 0 ? deck.filter((c) => !shown.includes(c) && !gone.includes(c)) : domain;
      return { ...p, domain: all, open: true };
    }
    if (p.kind !== 'card' || domain.length === 0) return p;
    const all = sets.find((set) => domain.every((c) => set.includes(c)));
    if (!all) return p;
    return all === shown ? { ...p, kind: 'shown', domain: [...shown], open: true } : { ...p, all };
  };
  return offers.map((o) => (o.params ? { ...o, params: o.params.map((p) => widen(o, p)) } : o));
}

/** The moves of the game, without what mends the record. */
export const moves = (offers: readonly Offer[]): Offer[] => offers.filter((o) => o.aside !== true);
/** What mends the record. */
export const asides = (offers: readonly Offer[]): Offer[] => offers.filter((o) => o.aside === true);

/** The buttons, in the order of the offers. */
export function choices(offers: readonly Widened[]): Choice[] {
  const byAct = new Map<string, Choice>();
  for (const o of offers) {
    const as = o.as ?? '';
    const known = byAct.get(`${o.act} ${as}`);
    if (!known) byAct.set(`${o.act} ${as}`, { act: o.act, as, rule: o.rule, grave: o.grave === true, offers: [o] });
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
  all: string[];
  max: number;
  fixed: boolean;
  open: boolean;
}

function questions(o: Widened): Question[] {
  const fixed = Object.entries(o.fixed ?? {})
    .filter(([name]) => name !== CONFIRM)
    .map(([name, value]) => ({ name, kind: kindOf(name, value), domain: [value], all: [value], max: 0, fixed: true, open: false }));
  const asked = (o.params ?? []).map((p) => ({
    name: p.name,
    kind: p.kind,
    domain: p.domain ?? [],
    all: p.all ?? p.domain ?? [],
    max: p.max ?? 0,
    fixed: false,
    open: p.open === true,
  }));
  return [...fixed, ...asked];
}

/** What a fixed value is, by the form of its id. What is not known to be public counts as a card. */
function kindOf(name: string, value: string): string {
  if (PLAIN.has(value)) return name;
  if (/^seat-\d+$/.test(value)) return 'seat';
  if (value.startsWith('place-') || value.startsWith('room-')) return 'place';
  if (value.startsWith('character-')) return 'character';
  return value.includes('-') ? 'card' : 'value';
}

/** Cards and roles are secret, unless they are asked openly. */
const isSecret = (kind: string): boolean => kind === 'card' || kind === 'role';

function fits(o: Widened, chosen: Args): boolean {
  const known = new Map(questions(o).map((q) => [q.name, q]));
  return Object.entries(chosen).every(([name, value]) => {
    if (name === CONFIRM) return true;
    const q = known.get(name);
    return q !== undefined && (q.kind === 'text' || q.domain.includes(value));
  });
}

const unique = (list: string[]): string[] => [...new Set(list)];

/** What is to be asked next, or the arguments of the act when all is known. */
export function next(choice: Choice, chosen: Args, stop = false): { step: Step } | { args: Args } {
  const left = choice.offers.filter((o) => fits(o, chosen));
  const complete = left.find((o) => questions(o).every((q) => q.name in chosen));
  const open = left.flatMap((o) => questions(o).filter((q) => !(q.name in chosen)));
  const first = open[0];
  if (!first || (complete && stop)) {
    const confirm = complete?.fixed?.[CONFIRM];
    return { args: confirm === undefined ? chosen : { ...chosen, [CONFIRM]: confirm } };
  }
  const same = open.filter((q) => q.name === first.name);
  const domain = unique(same.flatMap((q) => q.domain));
  // Nothing to choose: there is one answer, and it is fixed.
  if (!complete && same.every((q) => q.fixed) && domain.length === 1) return next(choice, { ...chosen, [first.name]: domain[0] ?? '' }, stop);
  const named = same.find((q) => !q.fixed || !PLAIN.has(q.domain[0] ?? '')) ?? first;
  const options = unique(same.flatMap((q) => q.all)).filter((v) => !PLAIN.has(v));
  return {
    step: {
      name: first.name,
      kind: named.kind,
      options,
      max: named.max,
      secret: isSecret(named.kind) && !named.open,
      off: options.filter((v) => !domain.includes(v)),
      plain: [...domain.filter((v) => PLAIN.has(v)), ...(complete ? [''] : [])],
    },
  };
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
