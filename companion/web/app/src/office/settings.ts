// The settings as the page shows them: from the same table of keys as the file, its
// check and the manual (build/settings.ts).
import { LayerPage, type Offer, type Setting, type Finding, type Settings } from '../lib/wire';
import { hasWords, type Key as Words, type Lang } from '../lib/words';
import table from 'virtual:settings';

export interface Key {
  name: string;
  what: Record<Lang, string>;
  kind: string;
  unit?: string;
  takes: Record<Lang, string>;
  without?: string;
  absent?: Record<Lang, string>;
  /** The values to choose from; with open, others are allowed too. */
  words?: string[];
  open?: boolean;
  /** The chips that have it; none: all. */
  of?: string[];
  items?: Key[];
}
export const keys: readonly Key[] = table;

/** The lists of attached devices. */
export const LISTS = ['readers', 'strips', 'clocks', 'buttons'] as const;
export type List = (typeof LISTS)[number];

export const keyOf = (name: string): Key => keys.find((k) => k.name === name)!;

/** A field: a key at its path, with its value. */
export interface Field {
  key: Key;
  path: string;
  value: string;
  env: string;
  faults: Finding[];
  notes: Finding[];
}

/** The keys that are no lists of devices. On a machine that cannot make a Wi-Fi, its keys are offered only if one is set already. */
export const plainKeys = (s: Settings): Key[] =>
  keys.filter((k) => k.kind !== 'items' && (!k.name.startsWith('hotspot') || s.hotspot === true || listEntries(s, k.name).length > 0));

export function fieldAt(s: Settings, key: Key, path: string): Field {
  const set = s.values?.find((v) => v.path === path);
  return { key, path, value: set?.value ?? '', env: set?.env ?? '', faults: findingsAt(s.faults, path), notes: findingsAt(s.notes, path) };
}

const findingsAt = (all: Finding[] | undefined, path: string): Finding[] => (all ?? []).filter((f) => f.where === path);

/** The paths that have a value or a fault. */
const listPaths = (s: Settings): string[] => [...(s.values ?? []).map((v) => v.path), ...(s.faults ?? []).map((f) => f.where ?? '')];

/** One item of a list. */
export interface Item {
  path: string;
  role: string;
  title: string; // its chip, and where it is
  fields: Field[];
  faults: Finding[]; // of the whole
  wrong: boolean;
}

/** The items of a list, each with the keys of its chip and other keys that are set nevertheless. */
export function itemsOf(s: Settings, list: List): Item[] {
  const key = keyOf(list);
  const at = new RegExp(`^${list}\\[(\\d+)\\]`);
  const most = Math.max(-1, ...listPaths(s).map((p) => Number(at.exec(p)?.[1] ?? -1)));
  return Array.from({ length: most + 1 }, (_, i): Item => {
    const path = `${list}[${i}]`;
    const get = (name: string) => fieldAt(s, key, `${path}.${name}`).value;
    const chip = get('chip') || (key.items!.find((k) => k.name === 'chip')?.without ?? '');
    const fields = key.items!.filter((k) => k.kind !== 'map').map((k) => fieldAt(s, k, `${path}.${k.name}`));
    const shown = fields.filter((f) => !f.key.of?.length || f.key.of.includes(chip) || f.value !== '' || f.faults.length > 0);
    return {
      path,
      role: get('role'),
      title: [chip, get('spi') || get('port') || get('pin') || get('tag') || get('i2c')].filter((t) => t !== '').join(' · '),
      fields: shown,
      faults: (s.faults ?? []).filter((f) => f.where === path || f.where === `${path}.segments`),
      wrong: (s.faults ?? []).some((f) => f.where === path || (f.where ?? '').startsWith(`${path}.`)),
    };
  });
}

/** One part of a strip, and the LEDs that light it. */
export interface Segment {
  path: string;
  name: string;
  value: string;
  faults: Finding[];
}

/** The segments of a strip: those with a value and those with a fault. */
export function segmentsOf(s: Settings, path: string): Segment[] {
  const under = `${path}.segments.`;
  const written = listPaths(s).filter((p) => p.startsWith(under));
  return [...new Set(written)].map((at) => ({
    path: at,
    name: at.slice(under.length),
    value: s.values?.find((v) => v.path === at)?.value ?? '',
    faults: (s.faults ?? []).filter((f) => f.where === at),
  }));
}

/** The entries of a list of texts; one from the environment is a single value. */
export const listEntries = (s: Settings, name: string): Setting[] =>
  (s.values ?? []).filter((v) => v.path.startsWith(`${name}[`) || v.path === name);

/** The file that a top-level key comes from, and the owner's value if the page's file overrides it; undefined if no file sets it. */
export function layerOf(s: Settings, name: string): { page: boolean; over: string | undefined } | undefined {
  const over = s.over?.find((v) => v.path === name);
  const set = s.values?.find((v) => v.layer !== undefined && v.path.replace(/[.[].*/, '') === name);
  if (over === undefined && set === undefined) return undefined;
  return { page: over !== undefined || set?.layer === LayerPage, over: over?.value };
}

/** The faults that belong to no single key. */
export function otherFaults(s: Settings): Finding[] {
  const known = new Set(keys.filter((k) => k.kind !== 'items').map((k) => k.name));
  return (s.faults ?? []).filter((f) =>
    !known.has((f.where ?? '').replace(/\[.*/, '')) && !LISTS.some((l) => (f.where ?? '').startsWith(`${l}[`))
  );
}

/** The act that applies saved changes which wait for the end of the game. */
export const APPLY: Offer = { act: 'settings-apply', rule: 'GEN-001', grave: true };

/** A value of the file, with its meaning if there are words for it. */
export function explainValue(words: { t(key: Words): string }, value: string): string {
  const key = `host.set.is.${value}`;
  return hasWords(key) ? `${value} · ${words.t(key)}` : value;
}
