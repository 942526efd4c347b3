import type { StoryPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<StoryPart>('./*/story.ts', { eager: true, import: 'part' });

/** The game of a view: the house in which its story is told. */
export const storyOf = (view: Played): StoryPart => partOf(view, parts, 'story');
