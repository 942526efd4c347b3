// What the header says about the connection.
import type { LinkState } from '../lib/link.svelte';

export type Connection = 'live' | 'stale' | 'lost' | 'away';

/** live: the page is up to date; stale: being checked; lost: coming back; away: the daemon does not run. */
export function connectionOf(state: LinkState, stale: boolean, online: boolean): Connection {
  if (state !== 'live') return 'lost';
  if (!online) return 'away';
  return stale ? 'stale' : 'live';
}
