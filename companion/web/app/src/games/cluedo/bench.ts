import { SPOT } from '../../bench/drop';
import type { Key } from '../../lib/words';
import type { BenchPart } from '../parts';
import House from './House.svelte';
import Told from './Told.svelte';
import { listHeaps, hasPile, readingStep } from './heaps';

const LEAST = 2; // players of any Cluedo: what else is missing the host's page says
const TWO = 'cl.prompt.lobby.two';
const LOTS: [string, Key][] = [['suspect', 'phone.kind.suspects'], ['weapon', 'phone.kind.weapons'], ['room', 'phone.kind.rooms']];

export const part: BenchPart = {
  lots: (cards) => [
    ...LOTS.map(([kind, title]) => ({ title, cards: cards.filter((c) => c.kind === kind) })),
    { cards: cards.filter((c) => !LOTS.some(([kind]) => kind === c.kind)) },
  ],
  hidden: { spot: SPOT.envelope, wide: 44 },
  open: (bench) => (hasPile(bench) ? { spot: SPOT.pile, wide: 44 } : undefined),
  spots: (bench) => (hasPile(bench) ? [SPOT.envelope, SPOT.pile] : [SPOT.envelope]),
  heaps: listHeaps,
  lobby: (view) => (view.prompt.k === TWO ? 'bench.case.two' : view.seats.length >= LEAST ? 'ui.bench.guide.begin' : 'bench.case.lobby'),
  reading: readingStep,
  Told,
  House,
};
