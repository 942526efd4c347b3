// From offers to buttons. Every act of every game is drawn from what the daemon
// offers, so a new game has an interface on the day its rules exist.
//
// Offers of the same act are one choice: their fixed arguments and parameters
// are asked one after the other, each with what is still possible after the
// earlier answers.
//
// What is visible without a finger on the screen must not give a secret away. The daemon therefore
// offers what public facts allow, and marks what this seat's own knowledge forbids: the page lists
// both in the same way, and says why on the tap.
import { type Args, type Offer, type Param, type Refusal, Unnamed } from './wire';

/** One button. */
export interface Choice {
  act: string;
  /** The button's own name, where one act has several; '' otherwise. */
  as: string;
  rule: string;
  grave: boolean;
  offers: Offer[];
}

/** One thing to be asked. */
export interface Step {
  name: string;
  kind: string; // as in Param; a text has no options
  options: string[];
  off: string[]; // options that are listed and would be refused
  plain: string[]; // answers that name nothing: each a button of its own; '' leaves the argument out
  max: number; // bytes of a text
  /** Names of secret things: they show only while a finger holds them. */
  secret: boolean;
}

/** Answers that name nothing, and so need no cover. */
const PLAIN: ReadonlySet<string> = new Set([Unnamed, 'unknown']);

/** A fixed argument of this name is no question but a warning to be confirmed. */
export const CONFIRM = 'confirm';

/** The moves of the game, without corrections of the record. */
export const gameMoves = (offers: readonly Offer[]): Offer[] => offers.filter((o) => o.aside !== true);
/** The corrections of the record. */
export const listCorrections = (offers: readonly Offer[]): Offer[] => offers.filter((o) => o.aside === true);

/** The buttons, in the order of the offers. nameOf names those of an act that has several. */
export function listChoices(offers: readonly Offer[], nameOf: (o: Offer, all: readonly Offer[]) => string = () => ''): Choice[] {
  const byAct = new Map<string, Choice>();
  for (const o of offers) {
    const as = nameOf(o, offers);
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
  values: string[];
  max: number;
  fixed: boolean;
  secret: boolean;
}

function listQuestions(o: Offer): Question[] {
  const fixed = Object.entries(o.fixed ?? {})
    .filter(([name]) => name !== CONFIRM)
    .map(([name, value]) => ({
      name,
      kind: kindOf(name, value),
      values: [value],
      max: 0,
      fixed: true,
      secret: isSecret(kindOf(name, value)),
    }));
  const asked = (o.params ?? []).map((p) => {
    const secret = isSecret(p.kind) && p.aloud !== true;
    return { name: p.name, kind: p.kind, values: p.all ?? p.domain ?? [], max: p.max ?? 0, fixed: false, secret };
  });
  return [...fixed, ...asked];
}

/** What a fixed value is, by the form of its id. What is not known to be public counts as a card. */
function kindOf(name: string, value: string): string {
  if (PLAIN.has(value)) return name;
  if (name === 'card') return name;
  if (/^seat-\d+$/.test(value)) return 'seat';
  if (value.startsWith('place-') || value.startsWith('room-')) return 'place';
  if (value.startsWith('character-')) return 'character';
  return value.includes('-') ? 'card' : 'value';
}

/** Cards and roles are secret, unless all may hear them. */
const isSecret = (kind: string): boolean => kind === 'card' || kind === 'role';

function allowsChosen(o: Offer, chosen: Args): boolean {
  const known = new Map(listQuestions(o).map((q) => [q.name, q]));
  return Object.entries(chosen).every(([name, value]) => {
    if (name === CONFIRM) return true;
    const q = known.get(name);
    return q !== undefined && (q.kind === 'text' || q.values.includes(value));
  });
}

/** Why what has been chosen would be refused by what this seat knows; undefined: it would not. */
export function findRefusal(choice: Pick<Choice, 'offers'>, chosen: Args): Refusal | undefined {
  const of = (p: Param): Refusal | undefined => p.no?.find((r) => r.at?.includes(p.all?.indexOf(chosen[p.name] ?? '') ?? -1));
  const whys = choice.offers.filter((o) => allowsChosen(o, chosen)).map((o) => o.no ?? o.params?.map(of).find((r) => r !== undefined));
  return whys.includes(undefined) ? undefined : whys[0];
}

const unique = (list: string[]): string[] => [...new Set(list)];

/** What is to be asked next, or the arguments of the act when all is known. */
export function nextStep(choice: Choice, chosen: Args, stop = false): { step: Step } | { args: Args } {
  const left = choice.offers.filter((o) => allowsChosen(o, chosen));
  const complete = left.find((o) => listQuestions(o).every((q) => q.name in chosen));
  const open = left.flatMap((o) => listQuestions(o).filter((q) => !(q.name in chosen)));
  const first = open[0];
  if (!first || (complete && stop)) {
    const confirm = complete?.fixed?.[CONFIRM];
    return { args: confirm === undefined ? chosen : { ...chosen, [CONFIRM]: confirm } };
  }
  const same = open.filter((q) => q.name === first.name);
  const values = unique(same.flatMap((q) => q.values));
  // Nothing to choose: there is one answer, and it is fixed.
  if (!complete && same.every((q) => q.fixed) && values.length === 1) {
    return nextStep(choice, { ...chosen, [first.name]: values[0] ?? '' }, stop);
  }
  const named = same.find((q) => !q.fixed || !PLAIN.has(q.values[0] ?? '')) ?? first;
  const options = values.filter((v) => !PLAIN.has(v));
  return {
    step: {
      name: first.name,
      kind: named.kind,
      options,
      max: named.max,
      secret: named.secret,
      off: options.filter((v) => findRefusal({ offers: left }, { ...chosen, [first.name]: v }) !== undefined),
      plain: [...values.filter((v) => PLAIN.has(v)), ...(complete ? [''] : [])],
    },
  };
}

/** The most bytes of UTF-8 that fit, without cutting a character in two. */
export function clipText(text: string, max: number): string {
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

/** A random order: the position of a secret option must not give it away. */
export function shuffled<T>(list: readonly T[], random: () => number = Math.random): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}
