// The house rules as a form: every value, which one holds, which one is the
// default of the deck.
import type { Args, Name, Offer } from './wire';

export interface HouseRule {
  id: string;
  rule: string; // the rule that it changes; '' when not known
  value: string;
  changed: boolean; // is not the default
  settled: boolean; // another rule says it along with others
  values: { id: string; isDefault: boolean; args?: Args }[];
}

/** What the deck calls them. */
export interface HouseRuleNames {
  name(id: string): Pick<Name, 'of' | 'within'> | undefined;
  values(rule: string): Name[];
}

/** The value of a rule that settles others, while they are set as by none of its values. */
const OTHER = 'other';

/** The rules in the order of their offers, or of their ids where nothing can be changed. */
export function houseRules(switches: Readonly<Record<string, string>>, offers: readonly Offer[], deck: HouseRuleNames): HouseRule[] {
  const offered = offers.map((o) => o.fixed?.['name'] ?? '').filter((id) => id in switches);
  const ids = [...new Set([...offered, ...Object.keys(switches).sort()])];
  return ids.map((id) => {
    const offer = offers.find((o) => o.fixed?.['name'] === id);
    const param = offer?.params?.[0];
    const named = deck.values(id);
    const all = [...new Set([...named.map((n) => n.id as string), switches[id] ?? '', ...(param?.domain ?? [])])];
    const value = switches[id] ?? '';
    const standard = named.find((n) => n.default)?.id;
    return {
      id,
      rule: deck.name(id)?.of ?? '',
      value,
      settled: (switches[deck.name(id)?.within ?? ''] ?? OTHER) !== OTHER,
      changed: standard !== undefined && standard !== value,
      values: all.map((v) => ({
        id: v,
        isDefault: v === standard,
        ...(param?.domain?.includes(v) ? { args: { ...offer?.fixed, [param.name]: v } } : {}),
      })),
    };
  });
}
