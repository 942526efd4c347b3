// The Wi-Fi that Majordome's own computer has made, for its own screen.
import { ownScreen } from '../lib/public.svelte';

export interface Wifi {
  name: string;
  password: string;
}

/** Asks the daemon, which answers only its own screen; undefined: there is none, or this screen may not know it. */
export async function ownWifi(get: typeof fetch = fetch, host = location.hostname): Promise<Wifi | undefined> {
  if (!ownScreen(host)) return undefined;
  try {
    const answer = await get('/wifi', { cache: 'no-store' });
    return answer.ok ? ((await answer.json()) as Wifi) : undefined;
  } catch {
    return undefined;
  }
}

/** What the cameras of phones take for a Wi-Fi to join. */
export const wifiCode = ({ name, password }: Wifi): string => `WIFI:T:WPA;S:${escapeWifi(name)};P:${escapeWifi(password)};;`;

const escapeWifi = (text: string): string => text.replace(/[\\;,:"]/g, '\\$&');
