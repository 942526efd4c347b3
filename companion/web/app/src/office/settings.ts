// The settings as the page shows them: made of the same table of keys as the file, its
// check and the manual (settings.json is written by a test of the daemon).
import { LayerPage, type Offer, type Setting, type Finding, type Settings } from '../lib/wire';
import { has, type Key as Words, type Lang } from '../lib/words';
import table from './settings.json';

export interface Key {
  name: string;
  what: Record<Lang, string>;
  kind: string;
  unit?: string;
  takes: Record<Lang, string>;
  without?: string;
  absent?: Record<Lang, string>;
  /** What there is to choose; with open also others. */
  words?: string[];
  open?: boolean;
  /** The chips that have it; none: all. */
  of?: string[];
  items?: Key[];
}
export const keys: readonly Key[] = table as Key[];

/** What a list is of, and the first thing that is asked of a new one. */
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

/** The keys of the table itself. Those of a Wi-Fi that this machine cannot make are offered only where something of it is set already. */
export const plainKeys = (s: Settings): Key[] =>
  keys.filter((k) => k.kind !== 'items' && (!k.name.startsWith('hotspot') || s.hotspot === true || entries(s, k.name).length > 0));

export function fieldAt(s: Settings, key: Key, path: string): Field {
  const set = s.values?.find((v) => v.path === path);
  return { key, path, value: set?.value ?? '', env: set?.env ?? '', faults: at(s.faults, path), notes: at(s.notes, path) };
}

const at = (all: Finding[] | undefined, path: string): Finding[] => (all ?? []).filter((f) => f.where === path);

/** The paths that have a value, or something wrong. */
const paths = (s: Settings): string[] => [...(s.values ?? []).map((v) => v.path), ...(s.faults ?? []).map((f) => f.where ?? '')];

/** One of a list. */
export interface Item {
  path: string;
  role: string;
  title: string; // its chip, and where it is
  fields: Field[];
  faults: Finding[]; // of the whole
  wrong: boolean;
}

/** Those of a list, each with the keys of its chip and what is written all the same. */
export function itemsOf(s: Settings, list: List): Item[] {
  const key = keyOf(list);
  const at = new RegExp(`^${list}\\[(\\d+)\\]`);
  const most = Math.max(-1, ...paths(s).map((p) => Number(at.exec(p)?.[1] ?? -1)));
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

/** The segments of a strip: those that are written, and those that something is wrong with. */
export function segmentsOf(s: Settings, path: string): Segment[] {
  const under = `${path}.segments.`;
  const written = paths(s).filter((p) => p.startsWith(under));
  return [...new Set(written)].map((at) => ({
    path: at,
    name: at.slice(under.length),
    value: s.values?.find((v) => v.path === at)?.value ?? '',
    faults: (s.faults ?? []).filter((f) => f.where === at),
  }));
}

/** The entries of a list of texts; of the environment it is one value. */
export const entries = (s: Settings, name: string): Setting[] => (s.values ?? []).filter((v) => v.path.startsWith(`${name}[`) || v.path === name);

/** Where a key at the top comes from, and what the owner's file says where the page's wins over it; undefined where no file says anything. */
export function layerOf(s: Settings, name: string): { page: boolean; over: string | undefined } | undefined {
  const over = s.over?.find((v) => v.path === name);
  const set = s.values?.find((v) => v.layer !== undefined && v.path.replace(/[.[].*/, '') === name);
  if (over === undefined && set === undefined) return undefined;
  return { page: over !== undefined || set?.layer === LayerPage, over: over?.value };
}

/** What is wrong with no key of its own. */
export function loose(s: Settings): Finding[] {
  const known = new Set(keys.filter((k) => k.kind !== 'items').map((k) => k.name));
  return (s.faults ?? []).filter((f) => !known.has((f.where ?? '').replace(/\[.*/, '')) && !LISTS.some((l) => (f.where ?? '').startsWith(`${l}[`)));
}

/** Applies what was kept and waits for the end of the game. */
export const APPLY: Offer = { act: 'settings-apply', rule: 'GEN-001', grave: true };

/** A value that the file takes, with what it means where that has words. */
export function explained(words: { t(key: Words): string }, value: string): string {
  const key = `host.set.is.${value}`;
  return has(key) ? `${value} · ${words.t(key)}` : value;
}
