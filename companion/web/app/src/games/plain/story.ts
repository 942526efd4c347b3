import { layOutRooms } from '../../deco/plan';
import type { StoryPart } from '../parts';

export const part: StoryPart = {
  house: ({ places }) => ({
    ground: '',
    chambers: layOutRooms(places.length).map((room, i) => ({
      id: places[i]!.place,
      floor: room.d,
      wall: room.d,
      name: room.name,
      pawns: room.pawns,
    })),
  }),
};
