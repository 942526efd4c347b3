// The text of a hint: a free one has one language, that of its author.
import type { Text } from '../gen/engine';
import type { Lang } from './words';

export const hintText = (text: Text, lang: Lang): string => text[lang] || text.fr;
