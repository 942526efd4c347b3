import type { View } from '../lib/wire';
import * as cluedo from './cluedo/lessons';
import * as huisclos from './huisclos/lessons';
import type { LessonPart } from './parts';
import { choose } from './which';

/** What a game explains on a first evening; a game that no folder knows explains nothing. */
export const lessonsOf = (view: Pick<View, 'game' | 'case'>): LessonPart =>
  choose<LessonPart>(view, {
    huisclos: huisclos.part,
    cluedo: cluedo.part,
    plain: { games: () => [], now: () => [], lasting: [], after: () => [], state: () => [], muse: () => [], args: () => ({}) },
  });
