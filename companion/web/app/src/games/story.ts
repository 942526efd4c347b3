import type { StoryPart } from './parts';
import { type Played, partOf } from './which';

const parts = import.meta.glob<StoryPart>('./*/story.ts', { eager: true, import: 'part' });

/** The story part of the game of a view. */
export const storyOf = (view: Played): StoryPart => partOf(view, parts, 'story');
