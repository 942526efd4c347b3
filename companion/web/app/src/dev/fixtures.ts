// Samples of a Huis Clos on the table display, and what goes with them.
import { type Bench, type BenchCard } from '../gen/wire';
import type { Names, Update } from '../lib/wire';
import { names as allNames, type Samples, table } from './samples';

const text = (fr: string, en: string) => ({ fr, en });

export const names: Names = allNames['huis-clos'];

/** The house rules in force: the defaults, apart from some. */
export const switches = (over: Record<string, string> = {}): Record<string, string> => ({
  ...Object.fromEntries(names.filter((n) => n.default).map((n) => [n.of!, n.id])),
  ...over,
});

/** A table at which a phone claims the seat of a character by a card. */
function claimed(sample: string): Update {
  const u = table[sample]!();
  u.table.claims = [{ character: 'character-borrow', figures: '4711' }];
  return u;
}

/** Updates by name. */
export const samples: Samples = {
  ...Object.fromEntries(Object.entries(table).filter(([, u]) => u().view.game === 'huis-clos')),
  /** The lobby on the screen of a computer that has made a Wi-Fi (dev/table.svelte). */
  wifi: () => table['lobby']!(),
  'lobby-card': () => claimed('lobby'),
  'play-card': () => claimed('play'),
};

/** A turn of Anne's in the fifth round, with some of its view changed. */
export function update(over: Partial<Update['view']> = {}): Update {
  const u = samples['play']!();
  Object.assign(u.view, over);
  return u;
}

/** A simulated table that agrees with the record of u. */
export function bench(u: Update): Bench {
  let n = 0;
  const tag = () => (0x04a1b200 + n++).toString(16).padStart(8, '0');
  const pile = names.filter((x) => x.kind === 'clue' || x.kind === 'weapon').reverse();
  const cards: BenchCard[] = [];
  const lay = (spot: string, count: number, up = false) => {
    for (let i = 0; i < count; i++) {
      const c = pile.pop();
      if (c) cards.push({ tag: tag(), card: c.id, kind: c.kind, name: c.text, spot, up });
    }
  };
  for (const p of u.view.places) lay(p.place, p.cards);
  for (const s of u.view.seats) lay(`hand:seat-${s.seat}`, s.cards);
  lay('urn', u.view.urn);
  lay('gone', u.view.gone.length, true);
  lay('open', u.view.shown.length, true);
  lay('box', u.view.phase === 'lobby' ? 39 : 0);
  names.filter((x) => x.kind === 'role-card').forEach((x, i) => {
    const held = i < u.view.seats.length && u.view.phase !== 'lobby';
    cards.push({ tag: tag(), card: x.id, kind: x.kind, name: x.text, up: false, spot: held ? `hand:seat-${i + 1}` : 'box' });
  });
  cards.push({ tag: tag(), kind: 'foreign', name: text('Carte bancaire', 'Bank card'), spot: 'box', up: false });
  cards.push({ tag: tag(), kind: 'foreign', name: text('Carte d’un autre jeu', 'Card of another game'), spot: 'box', up: false });
  const glow = (colour: string, count: number) => Array.from({ length: count }, () => colour);
  const { at, of } = u.view.clock;
  return {
    cards,
    busy: false,
    pawns: u.view.seats.filter((s) => s.alive && s.place).map((s) => ({ seat: s.seat, place: s.place! })),
    strips: [
      { name: 'clock', pixels: Array.from({ length: of || 8 }, (_, i) => (i + 1 === at ? '#ff9a45' : i < at ? '#b07c38' : '#000000')) },
      { name: 'urn', pixels: glow(u.view.readers.some((r) => r.reader === 'urn') ? '#3d73ba' : '#000000', 4) },
      { name: 'show', pixels: glow(u.view.readers.some((r) => r.reader === 'show') ? '#3d73ba' : '#000000', 4) },
      ...u.view.places.map((p) => ({
        name: p.place as string,
        pixels: glow({ here: '#ff9a45', crime: '#c02818', closed: '#000000' }[p.lamp] ?? '#5a431c', 3),
      })),
    ],
    players: u.view.seats.map((s) => ({ seat: s.seat, url: `/#seat=${s.seat}` })),
    readers: [{ role: 'urn', plugged: true }, { role: 'show', plugged: true }],
  };
}
