// The registry: which folder of this one knows the game of a view. The pages ask here, never which game is played;
// a game that no folder knows is drawn from what its view and its offers carry (plain).
import type { View } from '../lib/wire';

/** What each folder says of one page. */
export interface Folders<T> {
  huisclos: T;
  cluedo: T;
  plain: T;
}

/** Every Cluedo carries a case. */
export const choose = <T>({ game, case: table }: Pick<View, 'game' | 'case'>, of: Folders<T>): T =>
  table ? of.cluedo : game === 'huis-clos' ? of.huisclos : of.plain;
