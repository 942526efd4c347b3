import { describe, expect, it } from 'vitest';
import current from '../../../../../../engine/cluedo/cluedo-classic.yaml?raw';
import largest from '../../../../../../engine/cluedo/super-cluedo.yaml?raw';
import { clueNames, clueSamples, plan } from '../../dev/clue';
import { furnishBox, layOutHouse, squareAt } from './board';
import { PLAN } from '../../deco/plan';

const ROOMS = clueSamples['c-start']!().view.places.map((p) => p.place as string);
const inside = (b: { x: number; y: number; w: number; h: number }, s: { x: number; y: number; d: number }) =>
  s.x - s.d / 2 >= b.x - 0.1 && s.x + s.d / 2 <= b.x + b.w + 0.1 && s.y - s.d / 2 >= b.y - 0.1 && s.y + s.d / 2 <= b.y + b.h + 0.1;

describe('the drawn house', () => {
  const h = layOutHouse(ROOMS, 'pool', plan);
  it('has every room, with a door or a step over a corner (C8-021), and all twelve « ? » squares', () => {
    expect(plan.rows).toHaveLength(29);
    expect(h.halls.map((x) => x.place)).toEqual(ROOMS);
    expect(h.halls.filter((x) => x.doors === '').map((x) => x.place)).toEqual(['room-chambre-amis']);
    expect(h.corners).toMatch(/^M/);
    expect(h.marks).toHaveLength(12);
  });
  it('stays on the page', () => {
    for (const { box } of h.halls) {
      expect(box.w).toBeGreaterThan(100);
      expect(box.x + box.w).toBeLessThanOrEqual(PLAN.w);
      expect(box.y + box.h).toBeLessThanOrEqual(PLAN.h + 0.1);
    }
  });
  it('has room in a corridor for pawns whose squares nobody knows', () => {
    expect(h.tray.w).toBeGreaterThan(300);
    for (const { box } of h.halls) {
      const apart = box.x >= h.tray.x + h.tray.w - 0.1 || box.x + box.w <= h.tray.x + 0.1 || box.y >= h.tray.y + h.tray.h - 0.1 ||
        box.y + box.h <= h.tray.y + 0.1;
      expect(apart).toBe(true);
    }
  });
  it('counts columns and rows from 0 at the top left', () => {
    const a = squareAt(plan, '0,9')!;
    const b = squareAt(plan, '1,10')!;
    expect(b.x).toBeGreaterThan(a.x);
    expect(b.y - a.y).toBeCloseTo(PLAN.h / 29, 0);
    expect(squareAt(plan, '')).toBeUndefined();
    expect(squareAt({ passages: {} }, '0,9')).toBeUndefined();
  });
});

const drawn = (yaml: string) => {
  const rows = [...yaml.matchAll(/^ {4}- "([#.?A-Za-z]+)"$/gm)].map((m) => m[1]!);
  const legend = Object.fromEntries([...yaml.matchAll(/^ {4}([A-Z]): ([a-z0-9-]+)$/gm)].map((m) => [m[1]!, m[2]!]));
  return { rows, legend, ...layOutHouse(Object.values(legend), '', { rows, legend }) };
};

describe('the houses of the other Cluedos', () => {
  it.each([['Super Cluedo', largest, 24, 39, 14, 9], ['the current Cluedo', current, 25, 24, 9, 0]])(
    '%s: every room has a door, and lies on the page',
    (_, yaml, high, wide, rooms, marks) => {
      const h = drawn(yaml);
      expect([h.rows.length, h.rows[0]!.length, h.halls.length, h.marks.length]).toEqual([high, wide, rooms, marks]);
      for (const { place, doors, box } of h.halls) {
        expect([place, doors === '', box.w > 90, box.x + box.w <= PLAN.w + 0.1, box.y + box.h <= PLAN.h + 0.1]).toEqual([place, false, true,
          true, true]);
      }
    },
  );
  it('holds all ten pawns in the Hall, and the longest name on the path', () => {
    const h = drawn(largest);
    const box = (place: string) => h.halls.find((x) => x.place === place)!.box;
    const kit = furnishBox(box('hall'), 'Hall', true, 8, 10);
    expect(kit.pawns.length + kit.tokens.length).toBe(18);
    for (const s of [...kit.pawns, ...kit.tokens]) expect(inside(box('hall'), s)).toBe(true);
    expect(furnishBox(box('garden-path'), 'Chemin du Jardin', true, 0, 0).note).toBeLessThan(box('garden-path').y + box('garden-path').h);
  });
});

describe('a card that lies in a room', () => {
  const h = drawn(current);
  const named = [...current.matchAll(/id: (room-[a-z-]+), fr: "([^"]+)", en: "([^"]+)"(, passage)?/g)].map((m) => ({
    box: h.halls.find((x) => x.place === m[1])!.box,
    names: [m[2]!, m[3]!],
    noted: m[4] !== undefined,
  }));
  it.each([[0, 0], [1, 1], [2, 3]])('covers no name, and none of %i weapons and %i pawns (CC-130)', (tokens, pawns) => {
    expect(named).toHaveLength(9);
    for (const { box, names, noted } of named) {
      for (const name of names) {
        const { lines, y, size, note, pile, ...kit } = furnishBox(box, name, noted, tokens, pawns, 1);
        expect(pile.y).toBeGreaterThanOrEqual((noted ? note + 7 : y + (lines.length - 1) * size * 1.1 + size / 2) - 0.1);
        expect(pile.y + pile.h).toBeLessThanOrEqual(box.y + box.h);
        for (const s of [...kit.tokens, ...kit.pawns]) expect(s.x + s.d / 2).toBeLessThanOrEqual(pile.x + 0.1);
      }
    }
  });
});

describe('the schematic house', () => {
  it('stands round the pool, and keeps a place for pawns outside', () => {
    const h = layOutHouse(ROOMS, 'pool', clueNames(false)[0]!.plan);
    const pool = h.halls.find((x) => x.place === 'pool')!.box;
    expect(pool.x + pool.w / 2).toBeCloseTo(PLAN.w / 2, 0);
    for (const a of [...h.halls.map((x) => x.box), h.tray]) {
      for (const b of h.halls.map((x) => x.box).filter((x) => x !== a)) {
        expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true);
      }
    }
  });
  it('is made for any number of rooms', () => {
    for (const n of [0, 1, 9, 12, 16]) {
      expect(layOutHouse(Array.from({ length: n }, (_, i) => `room-${i}`), '', undefined).halls).toHaveLength(n);
    }
  });
});

describe('a room', () => {
  // C8-024: it holds any number of pawns and tokens; all nine weapons begin in the pool.
  const boxes = [...layOutHouse(ROOMS, 'pool', plan).halls, ...layOutHouse(ROOMS, 'pool', undefined).halls].map((x) => x.box);
  it.each([[0, 6], [9, 0], [9, 6], [1, 1]])('holds %i weapons and %i pawns, none over another', (tokens, pawns) => {
    for (const box of boxes) {
      const kit = furnishBox(box, 'Salle de projection', true, tokens, pawns);
      expect([kit.tokens.length, kit.pawns.length]).toEqual([tokens, pawns]);
      const all = [...kit.tokens, ...kit.pawns];
      for (const [i, s] of all.entries()) {
        expect(inside(box, s)).toBe(true);
        expect(s.d).toBeGreaterThan(14);
        for (const o of all.slice(i + 1)) expect(Math.hypot(s.x - o.x, s.y - o.y)).toBeGreaterThan((s.d + o.d) / 2 - 6);
      }
    }
  });
  it('breaks a long name in two lines', () => {
    expect(furnishBox({ x: 0, y: 0, w: 170, h: 200 }, 'Salle de projection', false, 0, 0).lines).toEqual(['SALLE DE', 'PROJECTION']);
    expect(furnishBox({ x: 0, y: 0, w: 170, h: 200 }, 'Spa', false, 0, 0).lines).toEqual(['SPA']);
  });
});
