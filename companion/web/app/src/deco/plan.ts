// The plan of the manor: our own drawing of seven rooms round a hall. The rooms
// have no adjacency (HC-050), so no door leads from one to another: all open on
// the same dark passage. Drawn in a box of 1100 x 740.
//
// Any other number of places is drawn as a plain grid of rooms, up to 16,
// the most that a view can list.

/** Size of the drawing. */
export const PLAN = { w: 1100, h: 740 } as const;

/** A rectangle on the plan. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** One room: its walls and the places of things in it. */
export interface Room {
  d: string;
  floor: 'parquet' | 'check' | 'chevron' | 'star' | 'ribs';
  name: { x: number; y: number; w: number }; // centre and greatest width
  pile: { x: number; y: number }; // centre of the pile of clues
  pawns: Box;
}

/** The stone around the seven rooms. */
export const STONE = 'M20 20H1080V597A98 123 0 0 1 982 720H772C742 745 650 752 550 752C450 752 358 745 328 720H118A98 123 0 0 1 20 597Z';

const SEVEN: readonly Room[] = [
  { // the hall in the middle, for the first place of the deck: all pawns start there (HC-021)
    d: 'M434 222H666L780 292V448L666 518H434L320 448V292Z',
    floor: 'star',
    name: { x: 550, y: 284, w: 300 },
    pile: { x: 550, y: 368 },
    pawns: { x: 375, y: 404, w: 350, h: 108 },
  },
  {
    d: 'M40 40H330V206L302 284V362H40Z',
    floor: 'parquet',
    name: { x: 174, y: 92, w: 250 },
    pile: { x: 174, y: 184 },
    pawns: { x: 54, y: 222, w: 236, h: 130 },
  },
  {
    d: 'M346 40H754V180H690L664 206H436L410 180H346Z',
    floor: 'check',
    name: { x: 550, y: 76, w: 230 },
    pile: { x: 710, y: 92 },
    pawns: { x: 430, y: 130, w: 240, h: 70 },
  },
  {
    d: 'M770 40H1060V362H798V284L770 206Z',
    floor: 'parquet',
    name: { x: 926, y: 92, w: 250 },
    pile: { x: 926, y: 184 },
    pawns: { x: 810, y: 222, w: 236, h: 130 },
  },
  {
    d: 'M40 378H302V458L330 534V700H120A80 103 0 0 1 40 597Z',
    floor: 'chevron',
    name: { x: 172, y: 430, w: 240 },
    pile: { x: 172, y: 522 },
    pawns: { x: 66, y: 560, w: 244, h: 130 },
  },
  {
    d: 'M346 560L436 534H664L754 560V596A204 128 0 0 1 346 596Z',
    floor: 'ribs',
    name: { x: 550, y: 570, w: 230 },
    pile: { x: 710, y: 598 },
    pawns: { x: 420, y: 630, w: 260, h: 78 },
  },
  {
    d: 'M798 378H1060V597A80 103 0 0 1 980 700H770V534L798 458Z',
    floor: 'chevron',
    name: { x: 928, y: 430, w: 240 },
    pile: { x: 928, y: 522 },
    pawns: { x: 790, y: 560, w: 244, h: 130 },
  },
];

/** The rooms for a number of places, in deck order. */
export function layOutRooms(count: number): readonly Room[] {
  const n = Math.min(16, Math.max(0, Math.trunc(count)));
  if (n === SEVEN.length) return SEVEN;
  const cols = Math.ceil(Math.sqrt(n));
  const rows = Math.ceil(n / Math.max(1, cols));
  const [w, h] = [1020 / Math.max(1, cols), 660 / Math.max(1, rows)];
  return Array.from({ length: n }, (_, i): Room => {
    const [x, y] = [40 + (i % cols) * w, 40 + Math.floor(i / cols) * h];
    return {
      d: `M${x.toFixed(1)} ${y.toFixed(1)}h${(w - 16).toFixed(1)}v${(h - 16).toFixed(1)}h${(16 - w).toFixed(1)}Z`,
      floor: i % 2 === 0 ? 'parquet' : 'check',
      name: { x: x + (w - 16) / 2, y: y + 0.18 * h, w: w - 40 },
      pile: { x: x + (w - 16) / 2, y: y + 0.42 * h },
      pawns: { x: x + 12, y: y + 0.54 * h, w: w - 40, h: 0.38 * h },
    };
  });
}

/** The centre of a pawn and its diameter. */
export interface Spot {
  x: number;
  y: number;
  d: number;
}

const LARGEST = 60;

/** The spots of n pawns side by side in a box, as large as they fit. */
export function placePawns(box: Box, n: number, largest = LARGEST): Spot[] {
  if (n < 1) return [];
  let best = { d: 0, cols: 1, rows: 1 };
  for (let rows = 1; rows <= n; rows++) {
    const cols = Math.ceil(n / rows);
    const d = Math.min(largest, box.w / cols, box.h / rows);
    if (d > best.d) best = { d, cols, rows };
  }
  const { d, cols, rows } = best;
  return Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / cols);
    const inRow = row === rows - 1 ? n - row * cols : cols;
    const gapX = Math.min(box.w / cols, d * 1.16);
    const gapY = Math.min(box.h / rows, d * 1.16);
    return {
      x: box.x + box.w / 2 + ((i % cols) - (inRow - 1) / 2) * gapX,
      y: box.y + box.h / 2 + (row - (rows - 1) / 2) * gapY,
      d,
    };
  });
}

/** The size of type at which a label in capitals fits a width, between 13 and `largest`. */
export function fitText(label: string, width: number, largest = 24): number {
  return Math.max(13, Math.min(largest, width / (Math.max(1, label.length) * 0.84)));
}
