// The words about the tables of a venue, the choice of those that are shown, and the way to the office of its console.
import { type Ask, officeOf } from '../office/ask';
import type { Pass } from '../lib/join';
import type { Site } from '../lib/site';
import type { Voice } from '../lib/voice';
import type { VenueSite, VenueTable } from '../lib/wire';
import type { Key, Lang } from '../lib/words';
import { tableAlerts } from '../tables/tables';

type Say = Pick<Voice, 't' | 'label'>;

export const FILTERS = ['all', 'wants', 'playing', 'free', 'away'] as const;
export type Filter = typeof FILTERS[number];

/** More tables than this are shown as small tiles. */
export const DENSE = 40;

/** Whether a game runs there, as it was heard last. */
export const isPlaying = (t: VenueTable): boolean => t.game !== '' && t.phase !== 'lobby' && t.phase !== 'over';

const passes: Record<Filter, (t: VenueTable) => boolean> = {
  all: () => true,
  wants: (t) => (t.needs?.length ?? 0) > 0,
  playing: (t) => t.online && isPlaying(t),
  free: (t) => t.online && !isPlaying(t),
  away: (t) => !t.online,
};

/** The tables that a choice shows, in their order: a filter, a group ('' for all) and a part of the name. */
export function chooseTables(all: readonly VenueTable[], filter: Filter, group = '', query = ''): VenueTable[] {
  const part = query.trim().toLowerCase();
  return all.filter((t) => passes[filter](t) && (group === '' || t.groups?.includes(group) === true) && t.name.includes(part));
}

/** The groups of all tables, sorted. */
export const groupsOf = (all: readonly VenueTable[]): string[] => [...new Set(all.flatMap((t) => t.groups ?? []))].sort();

/** The end of a name that fits on a small tile. */
export const shortName = (name: string): string => (name.length > 6 ? `…${name.slice(-5)}` : name);

/** Why somebody should go to the table, the most urgent first. */
export function needLines(t: VenueTable, voice: Say): string[] {
  return [
    ...(t.needs?.includes('alarm') ? [voice.t('host.venue.need.alarm')] : []),
    ...(t.needs?.includes('line') ? [voice.t('host.venue.need.line')] : []),
    ...tableAlerts(t, voice),
  ];
}

/** For how long, in minutes; '' if it has just begun. */
export function sinceLine(t: VenueTable, now: number, voice: Say): string {
  const minutes = t.since ? Math.floor((now - t.since) / 60_000) : 0;
  return minutes > 0 ? voice.t('host.venue.since', { n: minutes }) : '';
}

/** The last act from this console at a table, and what has become of it. */
export function actLine(t: VenueTable, voice: Say & { lang: Lang }): string {
  if (!t.act) return '';
  const what = voice.t(`host.venue.act.${t.act.act}` as Key);
  return voice.t(`host.venue.act.${t.act.state}` as Key, { what, why: t.act.why?.[voice.lang] ?? '' });
}

/** How many tables have answered an act at all of them. */
export function roundCounts(all: readonly VenueTable[], round: number): { done: number; omitted: number; open: number } {
  const states = all.flatMap((t) => (t.act?.round === round ? [t.act.state] : []));
  const count = (...these: string[]): number => states.filter((s) => these.includes(s)).length;
  return { done: count('done'), omitted: count('omitted'), open: count('pending', 'unknown') };
}

/** The office of the console that serves this page, and its clock before that of this page, in ms. */
export interface Console {
  ask: Ask;
  ahead: number;
}

/** Finds the console; after a new start of it the numbers of requests begin again. */
export async function consoleOf(site: Site, pass: Pass, get: typeof fetch = fetch): Promise<Console> {
  const readSite = async (): Promise<VenueSite> => {
    const answer = await get('/venue.json', { cache: 'no-store' });
    if (!answer.ok) throw new Error(`/venue.json: ${answer.status}`);
    return await answer.json() as VenueSite;
  };
  let here = await readSite();
  const ahead = here.now - Date.now();
  const ask = officeOf(site, pass, () => here.epoch, get);
  return {
    ahead,
    ask: async (request, signal) => {
      try {
        return await ask(request, signal);
      } catch (why) {
        if (signal?.aborted !== true) here = await readSite();
        throw why;
      }
    },
  };
}
