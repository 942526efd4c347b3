import type { View } from '../../lib/wire';

/** Every Cluedo carries a case. */
export const knows = ({ case: table }: Pick<View, 'case'>): boolean => table !== undefined;
