// What the header says about the connection.
import type { Link } from '../lib/link.svelte';

export type Connection = 'live' | 'stale' | 'lost' | 'away' | 'forged';

/**
 * live: the page is up to date; stale: being checked; lost: coming back; away: the daemon does not run;
 * forged: somebody changes the names on their way, so that nothing should be done by them.
 */
export function connectionOf({ state, stale, online, forged }: Pick<Link, 'state' | 'stale' | 'online' | 'forged'>): Connection {
  if (state !== 'live') return 'lost';
  if (forged) return 'forged';
  if (!online) return 'away';
  return stale ? 'stale' : 'live';
}
