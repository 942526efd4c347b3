import type { StoryPart } from '../parts';
import { layOutHouse } from './board';

export const part: StoryPart = {
  house(view, voice) {
    const pool = view.places.find((p) => voice.name(p.place)?.kind === 'pool')?.place ?? '';
    const built = layOutHouse(view.places.map((p) => p.place), pool, voice.name(view.game)?.plan);
    return {
      ground: built.squares,
      chambers: built.halls.map(({ place, floor, wall, box: { x, y, w, h } }) => ({
        id: place,
        floor,
        wall,
        name: { x: x + w / 2, y: y + 26, w: w - 10 },
        pawns: { x: x + 6, y: y + 50, w: w - 12, h: h - 54 },
      })),
    };
  },
};
