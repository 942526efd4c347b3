// The places of the name and the pawns of a room on the plan of a story: large, because a phone
// draws the whole plan 330 pixels wide.
import { type Spot, placePawns } from '../deco/plan';
import type { Chamber } from '../games/parts';

export interface Fitted {
  lines: { text: string; x: number; y: number }[];
  size: number;
  spots: Spot[];
}

const LETTER = 0.48; // mean width of a letter, in sizes of type
const LARGEST = 42;
const SMALLEST = 22;
const COIN = 84;

/** Fits the name of a room and count pawns into it. */
export function fitRoom({ name: at, pawns }: Chamber, name: string, count: number): Fitted {
  const size = (longest: number): number => Math.max(SMALLEST, Math.min(LARGEST, at.w / (Math.max(1, longest) * LETTER)));
  const words = name.split(' ');
  const cuts = words.map((_, i) => [words.slice(0, i).join(' '), words.slice(i).join(' ')].filter((l) => l !== ''));
  const longest = (lines: readonly string[]): number => Math.max(...lines.map((l) => l.length));
  const two = cuts.reduce((a, b) => (longest(b) < longest(a) ? b : a));
  const texts = size(name.length) < 32 ? two : [name];
  const type = size(longest(texts));
  const below = at.y + (texts.length - 1) * type + type * 0.7;
  const top = Math.max(pawns.y, below);
  return {
    lines: texts.map((text, i) => ({ text, x: at.x, y: at.y + i * type })),
    size: type,
    spots: placePawns({ ...pawns, y: top, h: Math.max(24, pawns.y + pawns.h - top) }, count, COIN),
  };
}
