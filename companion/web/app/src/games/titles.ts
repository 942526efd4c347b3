// The games that come with the program, for a page that has to name those that are not on the table, too.
import type { Text } from '../gen/engine';

export const GAMES: readonly { id: string; text: Text }[] = [
  { id: 'huis-clos', text: { fr: 'Huis Clos', en: 'Huis Clos' } },
  { id: 'cluedo-2008', text: { fr: 'Cluedo 2008', en: 'Cluedo 2008' } },
  { id: 'super-cluedo', text: { fr: 'Super Cluedo', en: 'Super Cluedo' } },
  { id: 'cluedo-classic', text: { fr: 'Cluedo classique', en: 'Classic Cluedo' } },
];
