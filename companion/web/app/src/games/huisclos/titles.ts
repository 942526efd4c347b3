import type { Title } from '../parts';

export const titles: readonly Title[] = [{ id: 'huis-clos', text: { fr: 'Huis Clos', en: 'Huis Clos' } }];
