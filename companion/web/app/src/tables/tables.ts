// The words about one table on the page of all tables, from GET /tables.json: only its public state.
import type { HouseTable, Tables } from '../lib/wire';
import { clockText } from '../lib/window';
import type { Voice } from '../lib/voice';
import type { Lang } from '../lib/words';
import { readerName } from '../host/labels';

export async function fetchTables(get: typeof fetch = fetch): Promise<Tables> {
  const answer = await get('/tables.json', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`/tables.json: ${answer.status}`);
  const body = await answer.json() as Tables;
  if (body.v !== 1) throw new Error('/tables.json: not understood');
  return body;
}

/** The name of the game there; made from its id if this table does not know the game. */
export const tableTitle = (t: HouseTable, lang: Lang): string =>
  t.title[lang] || t.game.split('-').map((w) => w.charAt(0).toUpperCase() + w.slice(1)).join(' ');

/** The state of the game there, in one line. */
export function stateLine(t: HouseTable, voice: Pick<Voice, 't' | 'label'>): string {
  const names = (all: readonly string[]): string => all.join(', ');
  if (!t.online) return voice.t('host.tables.away');
  if (t.phase === 'lobby' || t.game === '') return voice.t('host.tables.lobby', { n: t.players });
  if (t.phase === 'over') return t.winners?.length ? voice.t('host.tables.won', { names: names(t.winners) }) : voice.t('host.tables.over');
  return t.turn?.length ? voice.t('host.tables.turn', { names: names(t.turn) }) : voice.t('host.tables.play');
}

/** The problems for which a member of the staff should go to the table. */
export function tableAlerts(t: HouseTable, voice: Pick<Voice, 't' | 'label'>): string[] {
  if (!t.online) return [];
  return [
    ...(t.over ? [voice.t('host.tables.up')] : []),
    ...(t.paused ? [voice.t('host.tables.paused')] : []),
    ...(t.lost ?? []).map((role) => voice.t('host.watch.lost', { reader: readerName(voice, role) })),
    ...(t.away?.length ? [voice.t('host.tables.phone', { names: t.away.join(', ') })] : []),
  ];
}

/** The time left of its countdown; now is a time of the table that serves this page. '' if there is no countdown. */
export function timeLeft(t: HouseTable, now: number): string {
  if (!t.count || !t.online) return '';
  return clockText(t.ends ? Math.max(0, t.ends - now) : (t.left ?? 0) * 1000);
}
