// The plan of a house with a board: rooms, squares and doors from the drawing
// that the deck gives (engine.Plan), or, where it gives none, a schematic plan
// with the rooms around the pool. Geometry only, in a box of 1100 x 740.
//
// Cells are drawn wider than high, so that names fit; they are counted as on
// the board. Limits: 64 x 64 cells, 26 rooms; a pawn on an unknown square
// is drawn in the tray, which on a drawn board is the widest part of its corridors.

import type { Plan } from '../../gen/engine';
import { PLAN, type Box, type Spot, placePawns } from '../../deco/plan';

/** One room, ready to draw. */
export interface Hall {
  place: string;
  floor: string; // its area, to be filled
  wall: string; // its outline, to be stroked
  doors: string; // gaps in the outline
  box: Box; // the largest free box in it
}

/** The house without its people. */
export interface House {
  halls: Hall[]; // in the order of the places
  squares: string; // the cells of the corridors
  marks: { x: number; y: number }[]; // marked squares, their centres
  corners: string; // steps over a corner (C8-021)
  tray: Box; // for pawns outside the rooms on an unknown square
  drawn: boolean; // by the deck
}

const n = (v: number): string => String(+v.toFixed(1));
const drawRect = (x: number, y: number, w: number, h: number): string => `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}Z`;

/** The house for these places; pool is the one without a card, if any. */
export function layOutHouse(places: readonly string[], pool: string, plan: Plan | undefined): House {
  const rows = plan?.rows ?? [];
  return rows.length > 0 ? layOutSurveyed(places, rows, plan ?? {}) : layOutSchematic(places, pool);
}

/** The size of a cell and where the drawing begins. */
function measureGrid(rows: readonly string[]) {
  const cols = Math.max(1, ...rows.map((r) => r.length));
  const h = PLAN.h / rows.length;
  const w = Math.min(PLAN.w / cols, h * 1.42);
  return { w, h, x: (PLAN.w - w * cols) / 2, y: 0, cols };
}

function layOutSurveyed(places: readonly string[], rows: readonly string[], plan: Plan): House {
  const g = measureGrid(rows);
  const at = (c: number, r: number): string => rows[r]?.[c] ?? '#';
  const px = (c: number) => g.x + c * g.w;
  const py = (r: number) => g.y + r * g.h;
  const walked = (c: number, r: number) => '.?'.includes(at(c, r));
  const letters = new Map(Object.entries(plan.legend ?? {}).map(([letter, room]) => [room as string, letter]));

  const hall = (place: string): Hall => {
    const letter = letters.get(place) ?? '';
    const inside = (c: number, r: number) => letter !== '' && at(c, r).toUpperCase() === letter;
    const out = { floor: '', wall: '', doors: '' };
    for (let r = 0; r < rows.length; r++) {
      for (let c = 0; c < g.cols; c++) {
        if (!inside(c, r)) continue;
        if (!inside(c - 1, r)) {
          let end = c;
          while (inside(end, r)) end++;
          out.floor += drawRect(px(c), py(r), px(end) - px(c), g.h);
        }
        const sides = [[c, r - 1, 0, 0, 1, 0], [c, r + 1, 0, 1, 1, 0], [c - 1, r, 0, 0, 0, 1], [c + 1, r, 1, 0, 0, 1]] as const;
        for (const [nc, nr, dx, dy, lx, ly] of sides) {
          if (inside(nc, nr)) continue;
          const line = `M${n(px(c + dx))} ${n(py(r + dy))}l${n(lx * g.w)} ${n(ly * g.h)}`;
          if (at(c, r) !== letter && walked(nc, nr)) out.doors += line;
          else out.wall += line;
        }
      }
    }
    const { c, r, cols, high } = largestBox(inside, g.cols, rows.length);
    return { place, ...out, box: { x: px(c), y: py(r), w: cols * g.w, h: high * g.h } };
  };

  let squares = '';
  const marks: House['marks'] = [];
  rows.forEach((row, r) =>
    [...row].forEach((ch, c) => {
      if (!walked(c, r)) return;
      squares += drawRect(px(c), py(r), g.w, g.h);
      if (ch === '?') marks.push({ x: px(c + 0.5), y: py(r + 0.5) });
    })
  );
  const corners = Object.entries(plan.diagonals ?? {}).map(([room, square]) => {
    const [c, r] = parseCell(square);
    const letter = letters.get(room) ?? '';
    const to = ([[-1, -1], [1, -1], [-1, 1], [1, 1]] as const).find(([dc, dr]) => at(c + dc, r + dr).toUpperCase() === letter);
    return to === undefined ? '' : `M${n(px(c + 0.5))} ${n(py(r + 0.5))}L${n(px(c + 0.5 + to[0] * 0.85))} ${n(py(r + 0.5 + to[1] * 0.85))}`;
  }).join('');
  const wide = largestBox(walked, g.cols, rows.length);
  const tray = { x: px(wide.c), y: py(wide.r), w: wide.cols * g.w, h: wide.high * g.h };
  return { halls: places.map(hall), squares, marks, corners, tray, drawn: true };
}

/** The largest box of cells of which all are inside. */
export function largestBox(inside: (c: number, r: number) => boolean, cols: number,
  rows: number): { c: number; r: number; cols: number; high: number }
{
  let best = { c: 0, r: 0, cols: 0, high: 0 };
  for (let top = 0; top < rows; top++) {
    const free = Array.from({ length: cols }, (_, c) => inside(c, top));
    for (let r = top; r < rows && free.includes(true); r++) {
      let run = 0;
      for (let c = 0; c < cols; c++) {
        free[c] = free[c] === true && inside(c, r);
        run = free[c] ? run + 1 : 0;
        if (run * (r - top + 1) > best.cols * best.high) best = { c: c - run + 1, r: top, cols: run, high: r - top + 1 };
      }
    }
  }
  return best;
}

const parseCell = (square: string): [number, number] => {
  const [c = 0, r = 0] = square.split(',').map(Number);
  return [c, r];
};

/** The centre of a square of the drawing; undefined without one. */
export function squareAt(plan: Plan | undefined, square: string): { x: number; y: number } | undefined {
  const rows = plan?.rows ?? [];
  if (rows.length === 0 || !/^\d+,\d+$/.test(square)) return undefined;
  const g = measureGrid(rows);
  const [c, r] = parseCell(square);
  return { x: +(g.x + (c + 0.5) * g.w).toFixed(1), y: +(g.y + (r + 0.5) * g.h).toFixed(1) };
}

// Nine rooms round the pool, and a tray in the last corner; any other number
// in even rows, the tray last.
const RING = [[0, 0, 1], [1, 0, 1], [2, 0, 1], [3, 0, 1], [0, 1, 1], [3, 1, 1], [0, 2, 1], [1, 2, 1], [2, 2, 1]] as const;

function layOutSchematic(places: readonly string[], pool: string): House {
  const ring = places.length === 10 && places.includes(pool);
  const cols = ring ? 4 : Math.max(1, Math.ceil(Math.sqrt(places.length + 1)));
  const rows = ring ? 3 : Math.ceil((places.length + 1) / cols);
  const [w, h] = [(PLAN.w - 40) / cols, (PLAN.h - 40) / rows];
  const box = (c: number, r: number, span: number): Box => ({ x: 20 + c * w + 6, y: 20 + r * h + 6, w: span * w - 12, h: h - 12 });
  let next = 0;
  const halls = places.map((place): Hall => {
    const i = ring && place === pool ? -1 : next++;
    const [c, r, span] = i < 0 ? [1, 1, 2] : ring ? RING[i]! : [i % cols, Math.floor(i / cols), 1];
    const b = box(c, r, span);
    const d = drawRect(b.x, b.y, b.w, b.h);
    return { place, floor: d, wall: d, doors: '', box: b };
  });
  const last = ring ? box(3, 2, 1) : box(next % cols, Math.floor(next / cols), 1);
  return { halls, squares: '', marks: [], corners: '', tray: last, drawn: false };
}

/** How a room is furnished: its name in one or two lines, then weapons, then pawns, and next to these the cards in it. */
export interface Furniture {
  lines: string[];
  size: number;
  x: number;
  y: number; // of the first line
  note: number; // y
  pile: Box;
  tokens: Spot[];
  pawns: Spot[];
}

const WIDE = 0.8; // width of a capital with its spacing, in sizes of type

const PILE = { w: 56, h: 34 };

/** Furnishes a box. */
export function furnishBox(box: Box, name: string, noted: boolean, tokens: number, pawns: number, cards = 0): Furniture {
  const words = name.toUpperCase().split(' ');
  const fits = (line: string): number => (box.w - 18) / (Math.max(1, line.length) * WIDE);
  let lines = [words.join(' ')];
  if (fits(lines[0]!) < 17 && words.length > 1) {
    const cuts = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')]);
    lines = cuts.reduce((a, b) => (Math.max(...b.map((l) => l.length)) < Math.max(...a.map((l) => l.length)) ? b : a));
  }
  const size = Math.max(12, Math.min(22, ...lines.map(fits)));
  const y = box.y + 10 + size / 2;
  const after = y + (lines.length - 1) * size * 1.1 + size * 0.7;
  const note = after + 9;
  const top = noted ? after + 24 : after + 4;
  const rest = Math.max(30, box.y + box.h - 6 - top);
  const low = tokens === 0 ? 0 : pawns === 0 ? Math.min(rest, 74) : Math.min(rest * 0.44, 74);
  const inner = { x: box.x + 8, w: box.w - 16 - (cards > 0 ? PILE.w : 0) };
  const kept = Math.min(rest - low, 120);
  const slack = (rest - low - kept) / 3;
  return {
    lines,
    size,
    x: box.x + box.w / 2,
    y,
    note,
    pile: { ...PILE, x: box.x + box.w - 4 - PILE.w, y: Math.min(top, box.y + box.h - 2 - PILE.h) },
    tokens: placePawns({ ...inner, y: top + slack, h: low }, tokens, 50),
    pawns: placePawns({ ...inner, y: top + 2 * slack + low, h: kept }, pawns, 56),
  };
}
