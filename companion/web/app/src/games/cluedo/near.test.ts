import { expect, it } from 'vitest';
import first from '../../../../../../engine/cluedo/cluedo-2008.yaml?raw';
import current from '../../../../../../engine/cluedo/cluedo-classic.yaml?raw';
import largest from '../../../../../../engine/cluedo/super-cluedo.yaml?raw';
import type { Plan } from '../../gen/engine';
import { nearbyDoors } from './near';

const small: Plan = { rows: ['AAa....', '###...B', '......b'], legend: { A: 'room-hall', B: 'room-spa' } } as Plan;

it('counts the squares to the nearest door, and names a second room where one is not enough', () => {
  expect(nearbyDoors(small, '3,0')).toEqual([{ room: 'room-hall', n: 1 }]);
  expect(nearbyDoors(small, '4,1')).toEqual([{ room: 'room-hall', n: 3 }, { room: 'room-spa', n: 3 }]);
  expect(nearbyDoors(small, '0,0')).toEqual([]);
});

const planOf = (yaml: string): Plan =>
  ({
    rows: [...yaml.matchAll(/^ {4}- "([#.?A-Za-z]+)"$/gm)].map((m) => m[1]!),
    legend: Object.fromEntries([...yaml.matchAll(/^ {4}([A-Z]): ([a-z0-9-]+)$/gm)].map((m) => [m[1]!, m[2]!])),
    diagonals: Object.fromEntries([...yaml.matchAll(/^ {4}(room-[a-z-]+): "(\d+,\d+)"$/gm)].map((m) => [m[1]!, m[2]!])),
  }) as Plan;

// Two squares at the same distances from every door have the same description; only the map distinguishes them.
it.each([['2008', first, 0], ['current', current, 5], ['Super', largest, 6]])('%s: nearly no two squares are said alike',
  (_, yaml, alike) => {
    const plan = planOf(yaml);
    const said = new Set<string>();
    let squares = 0;
    let most = 0;
    plan.rows!.forEach((row, r) =>
      [...row].forEach((x, c) => {
        if (!'.?'.includes(x)) return;
        const near = nearbyDoors(plan, `${c},${r}`);
        squares++;
        most = Math.max(most, near.length);
        said.add(near.map((n) => `${n.room} ${n.n}`).sort().join());
      })
    );
    expect(squares).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(3);
    expect([squares, squares - said.size]).toEqual([squares, alike]);
  });
