// Which folder of this one knows the game of a view. A game is its folder: each of its files is found by its name, game.ts says
// which games it knows, and nothing else names it. The pages ask here, never which game is played; a game that no folder knows is
// drawn from what its view and its offers carry (plain).
import type { View } from '../lib/wire';

/** The fields of a view that identify the game. */
export type Played = Pick<View, 'game' | 'case'>;

const known = Object.entries(import.meta.glob<(view: Played) => boolean>('./*/game.ts', { eager: true, import: 'knows' }));

/** What the folder that knows the game of a view says of one page, by the name of its file there. */
export function partOf<T>(view: Played, parts: Readonly<Record<string, T>>, file: string): T {
  const folder = known.find(([, knows]) => knows(view))?.[0].slice(0, -'game.ts'.length) ?? './plain/';
  return parts[`${folder}${file}.ts`] ?? parts[`./plain/${file}.ts`]!;
}
