import type { View } from '../lib/wire';
import * as cluedo from './cluedo/story';
import * as huisclos from './huisclos/story';
import type { StoryPart } from './parts';
import * as plain from './plain/story';
import { choose } from './which';

/** The game of a view: the house in which its story is told. */
export const storyOf = (view: Pick<View, 'game' | 'case'>): StoryPart =>
  choose<StoryPart>(view, { huisclos: huisclos.part, cluedo: cluedo.part, plain: plain.part });
