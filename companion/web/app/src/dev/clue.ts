// Samples of a Cluedo on the table display, and what goes with them.
import type { Bench, BenchCard } from '../gen/wire';
import type { Names, Update } from '../lib/wire';
import { names, namesOf, type Samples, table } from './samples';

/** The board of the Cluedo of 2008. */
export const plan = names['cluedo-2008'][0]!.plan!;

/** The labels of its deck, with or without the drawing of the board. */
export const clueNames = (drawn = true): Names =>
  names['cluedo-2008'].map((n) => (n.kind === 'game' && !drawn ? { ...n, plan: { passages: plan.passages! } } : n));

export const clueSamples: Samples = Object.fromEntries(Object.entries(table).filter(([, u]) => u().view.case !== undefined));

const GLOW: Record<string, string> = { here: '#ff9a45', reach: '#c9963f' };

/** A simulated table that agrees with the record of u; the cards are dealt in deck order, the hands first. */
export function clueBench(u: Update): Bench {
  const { view } = u;
  const cards: BenchCard[] = [];
  const of = namesOf(u);
  const ids = (kind: string): string[] => of.filter((n) => n.kind === kind).map((n) => n.id);
  const piles = {
    mystery: ids('suspect').flatMap((s, i) => [s, ids('weapon')[i], ids('room')[i]]).filter((id) => id !== undefined),
    events: [...ids('butler-card'), ...ids('time-card')],
  };
  piles.mystery.push(...[...ids('suspect'), ...ids('weapon'), ...ids('room')].filter((id) => !piles.mystery.includes(id)));
  const lay = (spot: string, pile: string[], count: number) => {
    for (const id of pile.splice(0, count)) {
      const { kind, text } = of.find((n) => n.id === id)!;
      cards.push({
        tag: (0x04b10000 + cards.length).toString(16).padStart(8, '0'),
        card: id,
        kind,
        name: text,
        spot,
        up: spot === 'gone' || spot === 'open',
      });
    }
  };
  const dealt = view.phase === 'turn' || view.phase === 'starting' || view.phase === 'over';
  if (dealt) lay('envelope', piles.mystery, 3);
  for (const p of view.places) lay(p.place, piles.mystery, dealt ? p.cards : 0);
  for (const s of view.seats) {
    lay(`hand:seat-${s.seat}`, piles.mystery, dealt ? s.cards : 0);
    lay(`hand:seat-${s.seat}`, piles.events, dealt ? s.tokens : 0);
  }
  lay('box', piles.mystery, 30);
  for (const id of view.gone) lay('gone', piles.events.splice(piles.events.indexOf(id), 1), 1);
  lay('pile', piles.events, view.case?.pile ?? 0);
  const waits = (reader: string) => (view.readers.some((r) => r.reader === reader) ? '#2f8a68' : '#000000');
  return {
    cards,
    busy: false,
    pawns: [],
    strips: [
      { name: 'clock', pixels: Array.from({ length: 8 }, (_, i) => (i < view.clock.at ? '#b07c38' : '#000000')) },
      ...['urn', 'show'].map((name) => ({ name, pixels: Array.from({ length: 4 }, () => waits(name)) })),
      ...view.places.map((p) => ({ name: p.place as string, pixels: Array.from({ length: 3 }, () => GLOW[p.lamp] ?? '#3a2b14') })),
    ],
    players: [{ seat: 0, url: '/host' }, ...view.seats.map((s) => ({ seat: s.seat, url: `/#seat=${s.seat}` }))],
    readers: [{ role: 'urn', plugged: true }, { role: 'show', plugged: true }],
  };
}
