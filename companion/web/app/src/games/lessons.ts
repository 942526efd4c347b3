import type { LessonPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<LessonPart>('./*/lessons.ts', { eager: true, import: 'part' });

/** The game of a view: what it explains on a first evening; a game that no folder knows explains nothing. */
export const lessonsOf = (view: Played): LessonPart => partOf(view, parts, 'lessons');
