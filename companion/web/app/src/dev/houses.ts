// Sample answers of GET /tables.json.
import type { HouseTable, Tables } from '../lib/wire';

const title = (name: string) => ({ fr: name, en: name });
const here: HouseTable = {
  name: 'salon',
  online: true,
  page: 'http://192.168.1.20',
  game: 'huis-clos',
  title: title('Huis Clos'),
  phase: 'lobby',
  players: 3,
};
const others: HouseTable[] = [
  {
    name: 'bibliotheque',
    online: true,
    page: 'http://192.168.1.21',
    game: 'cluedo-2008',
    title: title('Cluedo'),
    phase: 'turn',
    at: 3,
    of: 8,
    players: 4,
    turn: ['Ada'],
    count: true,
    left: 1710,
  },
  {
    name: 'jardin',
    online: true,
    page: 'http://192.168.1.22',
    game: 'huis-clos',
    title: title('Huis Clos'),
    phase: 'pick',
    at: 2,
    of: 6,
    players: 6,
    paused: true,
    turn: ['Bruno', 'Clémence', 'Dorian'],
    away: ['Élise'],
    lost: ['urn'],
    count: true,
    left: 45,
  },
  {
    name: 'serre',
    online: true,
    page: 'http://192.168.1.23',
    game: 'super-cluedo',
    title: title('Super Cluedo'),
    phase: 'over',
    players: 8,
    winners: ['Basile'],
  },
  { name: 'cave', online: false, game: 'huis-clos', title: title('Huis Clos'), phase: 'pick', at: 4, of: 6, players: 5 },
];
const told = (more: Partial<Tables>, all: HouseTable[]): Tables => ({ v: 1, now: Date.now(), line: 'on', all, ...more });

export const houses: Record<string, () => Tables> = {
  several: () => told({}, [here, ...others]),
  more: () => told({ more: 3, most: 4 }, [here, ...others]),
  alone: () => told({ line: 'none' }, [here]),
  off: () => told({ line: 'off' }, [here, others[1]!]),
  twin: () => told({ twin: true }, [here, others[0]!]),
};
