import { type Story, WIRE_VERSION } from '../lib/wire';

/** The story of the game that is over; undefined if none is, or if the daemon does not answer. */
export async function loadStory(get: typeof fetch = fetch): Promise<Story | undefined> {
  try {
    const answer = await get('/story.json', { cache: 'no-store' });
    const story = answer.ok ? ((await answer.json()) as Story) : undefined;
    return story?.v === WIRE_VERSION ? story : undefined;
  } catch {
    return undefined;
  }
}
