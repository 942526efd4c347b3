// A square as people at the table say it: how many squares it is from doors. One room is
// named where that is enough, else two or three: those with which no other square of the board
// could be meant, if there are such.
import type { Plan } from '../../gen/engine';

/** How far a square is from a room, going in by the nearest door. */
export interface Near {
  room: string;
  n: number;
}

type At = readonly [number, number];
const SIDES = [[0, -1], [0, 1], [-1, 0], [1, 0]] as const;

/** How far each square is from each room, by square. */
function measureDistances(plan: Plan): Map<string, Near[]> {
  const rows = plan.rows ?? [];
  const cell = (c: number, r: number): string => rows[r]?.[c] ?? '#';
  const walked = ([c, r]: At): boolean => '.?'.includes(cell(c, r));
  const all = new Map<string, Near[]>();
  for (const [letter, room] of Object.entries(plan.legend ?? {})) {
    const corner = plan.diagonals?.[room]?.split(',').map(Number);
    const first: At[] = corner ? [[corner[0]!, corner[1]!]] : [];
    rows.forEach((row, r) =>
      [...row].forEach((x, c) => {
        if (x === letter.toLowerCase()) first.push(...SIDES.map(([dc, dr]): At => [c + dc, r + dr]));
      })
    );
    const seen = new Set<string>();
    for (let now = first.filter(walked), n = 1; now.length > 0; n++) {
      const next: At[] = [];
      for (const [c, r] of now) {
        if (seen.has(`${c},${r}`)) continue;
        seen.add(`${c},${r}`);
        const of = all.get(`${c},${r}`) ?? [];
        all.set(`${c},${r}`, [...of, { room, n }]);
        next.push(...SIDES.map(([dc, dr]): At => [c + dc, r + dr]).filter(walked));
      }
      now = next;
    }
  }
  for (const of of all.values()) of.sort((a, b) => a.n - b.n);
  return all;
}

const known = new WeakMap<Plan, Map<string, Near[]>>();

/** Which doors a square is near, the nearest first; empty for what is none of the plan. */
export function nearbyDoors(plan: Plan, square: string): Near[] {
  const all = known.get(plan) ?? measureDistances(plan);
  known.set(plan, all);
  const [first, ...rest] = all.get(square) ?? [];
  if (!first) return [];
  const alone = (by: readonly Near[]): boolean => {
    let fits = 0;
    for (const of of all.values()) if (by.every((x) => of.some((y) => y.room === x.room && y.n === x.n))) fits++;
    return fits === 1;
  };
  const ways = [[first], ...rest.map((x) => [first, x]), ...rest.flatMap((x, i) => rest.slice(i + 1).map((y) => [first, x, y]))];
  return ways.find(alone) ?? [first, ...rest.slice(0, 1)];
}
