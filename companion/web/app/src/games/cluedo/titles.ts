import type { Title } from '../parts';

export const titles: readonly Title[] = [
  { id: 'cluedo-2008', text: { fr: 'Cluedo 2008', en: 'Cluedo 2008' } },
  { id: 'super-cluedo', text: { fr: 'Super Cluedo', en: 'Super Cluedo' } },
  { id: 'cluedo-classic', text: { fr: 'Cluedo classique', en: 'Classic Cluedo' } },
];
