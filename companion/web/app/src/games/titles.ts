import type { Title } from './parts';

/** The games that come with the program, for a page that has to name those that are not on the table, too. */
export const GAMES: readonly Title[] = Object.values(import.meta.glob<readonly Title[]>('./*/titles.ts', { eager: true, import: 'titles' }))
  .flat();
