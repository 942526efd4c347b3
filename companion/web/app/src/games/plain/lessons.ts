import type { LessonPart } from '../parts';

export const part: LessonPart = {
  games: () => [],
  now: () => [],
  lasting: [],
  after: () => [],
  state: () => [],
  muse: () => [],
  args: () => ({}),
};
