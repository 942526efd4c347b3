// Samples of the front page: the ends of games, with their stories. front-8-7 is Huis Clos with eight players of whom
// seven die in one round.
import { stories } from './samples';

/** From now on the daemon answers with the story of this sample, or with none; returns a function that ends this. */
export function serveStory(sample: string): () => void {
  const shown = stories[sample];
  const get = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    input === '/story.json' ? Promise.resolve(shown ? Response.json(shown) : new Response('', { status: 404 })) : get(input, init);
  return () => void (globalThis.fetch = get);
}
