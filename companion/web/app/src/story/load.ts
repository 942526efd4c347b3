import { type Story, WIRE_VERSION } from '../lib/wire';

const AGAIN = 2000; // ms between two requests: the table has the story once the phones know the end

/** Asks for the story until it is there; returns a function that stops asking. */
export function pollStory(done: (story: Story) => void): () => void {
  let timer = setTimeout(ask);
  let stopped = false;
  async function ask(): Promise<void> {
    const story = await loadStory();
    if (stopped) return;
    if (story === undefined) timer = setTimeout(ask, AGAIN);
    else done(story);
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

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
