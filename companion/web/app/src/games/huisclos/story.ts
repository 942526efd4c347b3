import { STONE } from '../../deco/plan';
import type { StoryPart } from '../parts';
import * as plain from '../plain/story';

export const part: StoryPart = {
  house(view, voice) {
    const house = plain.part.house(view, voice);
    return house.chambers.length === 7 ? { ...house, ground: STONE } : house;
  },
};
