import { rooms } from '../../deco/plan';
import type { StoryPart } from '../parts';

export const part: StoryPart = {
  house: ({ places }) => ({
    ground: '',
    chambers: rooms(places.length).map((room, i) => ({
      id: places[i]!.place,
      floor: room.d,
      wall: room.d,
      name: room.name,
      pawns: room.pawns,
    })),
  }),
};
