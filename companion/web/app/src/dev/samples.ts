// Updates of real games, as the phones, the host's page and the display get them: a test of package game plays the games
// of companion/game/testdata/samples, and writes them.
import type { Names, Story, Update } from '../lib/wire';
import hostText from './samples/host.json?raw';
import namesText from './samples/names.json?raw';
import phoneText from './samples/phone.json?raw';
import storiesText from './samples/stories.json?raw';
import tableText from './samples/table.json?raw';

/** A new update by the name of its sample. */
export type Samples = Record<string, () => Update>;

const read = (text: string): Samples => {
  const all = JSON.parse(text) as Record<string, Update>;
  return Object.fromEntries(Object.entries(all).map(([name, u]) => [name, () => structuredClone(u)]));
};

/** The labels of each game. */
export const names = JSON.parse(namesText) as Record<'huis-clos' | 'cluedo-2008' | 'super-cluedo', Names>;
/** The stories of some samples in which the game is over. */
export const stories = JSON.parse(storiesText) as Readonly<Record<string, Story>>;
/** The labels of the game of an update. */
export const namesOf = (u: Update): Names => (names as Record<string, Names>)[u.view.game] ?? [];
export const phone = read(phoneText);
export const host = read(hostText);
export const table = read(tableText);
