import type { View } from '../../lib/wire';

export const knows = ({ game }: Pick<View, 'game'>): boolean => game === 'huis-clos';
