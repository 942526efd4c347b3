// Sample updates for looking at the pages and for their tests. Not in the
// production bundle: only src/dev and tests import this file.
import type { Names, PlaceView, SeatView, Update } from '../lib/wire';
import { type Bench, type BenchCard, HostFree } from '../gen/wire';

const text = (fr: string, en: string) => ({ fr, en });

const PLACES: [string, string, string, string, string, string][] = [
  ['place-suite-bleue', 'La Suite Bleue', 'The Blue Suite', 'weapon-corde', 'Corde', 'Rope'],
  ['place-salon', 'Salon', 'Drawing room', 'weapon-tisonnier', 'Tisonnier', 'Poker'],
  ['place-3', 'Lieu 3', 'Place 3', 'weapon-3', 'Arme 3', 'Weapon 3'],
  ['place-4', 'Lieu 4', 'Place 4', 'weapon-4', 'Arme 4', 'Weapon 4'],
  ['place-5', 'Lieu 5', 'Place 5', 'weapon-5', 'Arme 5', 'Weapon 5'],
  ['place-6', 'Lieu 6', 'Place 6', 'weapon-6', 'Arme 6', 'Weapon 6'],
  ['place-7', 'Lieu 7', 'Place 7', 'weapon-7', 'Arme 7', 'Weapon 7'],
];

const CHARACTERS: [string, string, string][] = [
  ['borrow', 'Lady Borrow', 'Lady Borrow'],
  ['worms', 'Inspecteur Worms', 'Inspector Worms'],
  ['peely', 'Miss Peely', 'Miss Peely'],
  ['lecomte', 'Dr Lecomte', 'Dr Lecomte'],
  ['williams', 'Juge Williams', 'Judge Williams'],
  ['georges', 'Georges (le majordome)', 'Georges (the butler)'],
  ['eddington', 'Thomas Eddington', 'Thomas Eddington'],
  ['puddingham', 'Sir Puddingham', 'Sir Puddingham'],
];

/** A name without its explanation in brackets. */
const first = (name: string): string => name.replace(/ \(.*/, '');

/** The house rules with their values; the first is the default. */
const SWITCHES: [string, string, string, string, [string, string, string][]][] = [
  ['rounds-exhausted', 'HC-154', 'Après le dernier tour', 'After the last round', [
    ['survivors', 'les survivants gagnent', 'the survivors win'],
    ['murderer', 'le Meurtrier gagne', 'the Murderer wins'],
    ['nobody', 'personne ne gagne', 'nobody wins'],
  ]],
  ['confrontation-round-limit', 'HC-211', 'Limite de tours dans la Confrontation', 'Round limit in the Confrontation', [
    ['applies', 'elle vaut', 'it applies'],
    ['lifted', 'elle est levée', 'it is lifted'],
  ]],
  ['confrontation-double-kill', 'HC-210', 'Les deux meurent dans la Confrontation', 'Both die in the Confrontation', [
    ['murderer', 'le Meurtrier gagne', 'the Murderer wins'],
    ['nobody', 'personne ne gagne', 'nobody wins'],
  ]],
  ['confrontation-destroy-weapons', 'HC-206', 'Détruire des armes dans la Confrontation', 'Destroying weapons in the Confrontation', [
    ['never', 'jamais', 'never'],
    ['if-nothing-else', 's’il ne reste rien d’autre', 'if nothing else is left'],
    ['always', 'toujours permis', 'always allowed'],
  ]],
  ['destroy-below-limit', 'HC-065', 'Détruire avec moins de trois indices', 'Destroying with fewer than three clues', [
    ['allowed', 'permis', 'allowed'],
    ['forbidden', 'interdit', 'forbidden'],
  ]],
  ['exchange-order', 'HC-083', 'Ordre de l’échange de force', 'Order of the forced exchange', [
    ['draw-then-give', 'piocher puis donner', 'draw then give'],
    ['give-then-draw', 'donner puis piocher', 'give then draw'],
  ]],
  ['post-game-debrief', 'GEN-008', 'Montrer les mains après la partie', 'Showing hands after the game', [
    ['off', 'non', 'no'],
    ['on', 'oui', 'yes'],
  ]],
];

/** The house rules in force: the defaults, apart from some. */
export const switches = (over: Record<string, string> = {}): Record<string, string> => ({
  ...Object.fromEntries(SWITCHES.map(([id, , , , values]) => [id, values[0]![0]])),
  ...over,
});

export const names: Names = [
  { id: 'huis-clos', kind: 'game', text: text('Huis Clos', 'Huis Clos') },
  ...PLACES.map(([id, , , w, fr, en]) => ({ id: w, kind: 'weapon', text: text(fr, en), of: id })),
  ...PLACES.map(([id, fr, en]) => ({ id, kind: 'place', text: text(fr, en) })),
  ...CHARACTERS.map(([id, fr, en]) => ({ id: `character-${id}`, kind: 'character', text: text(fr, en) })),
  ...CHARACTERS.flatMap(([id, fr, en]) =>
    [1, 2, 3, 4].map((n) => ({
      id: `clue-${id}-${n}`,
      kind: 'clue',
      text: text(`Indice n° ${n} : ${first(fr)}`, `${first(en)}’s clue no. ${n}`),
      of: `character-${id}`,
    }))
  ),
  { id: 'role-murderer', kind: 'role-card', text: text('Meurtrier', 'Murderer') },
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => ({ id: `role-innocent-${n}`, kind: 'role-card', text: text('Innocent', 'Innocent') })),
  ...switchNames(),
];

function switchNames(): Names {
  return SWITCHES.flatMap(([id, rule, fr, en, values]) => [
    { id, kind: 'switch', of: rule, text: text(fr, en) },
    ...values.map(([v, f, e], i) => ({ id: v, kind: 'value', of: id, text: text(f, e), ...(i === 0 ? { default: true } : {}) })),
  ]);
}

const PLAYERS = ['Anne', 'Bruno', 'Chloé', 'David', 'Élise', 'Farid', 'Gaëlle', 'Hugo'];

export function seats(n: number): SeatView[] {
  return Array.from({ length: n }, (_, i) => ({
    seat: i + 1,
    name: PLAYERS[i]!,
    character: `character-${CHARACTERS[i]![0]}`,
    place: PLACES[[1, 3, 1, 0, 4, 6, 2, 4][i]!]![0],
    cards: 2 + (i % 2),
    tokens: 1,
    destroyed: 0,
    alive: true,
    first: i === 0,
    done: false,
  }));
}

export function places(from: readonly SeatView[]): PlaceView[] {
  return PLACES.map(([place, , , weapon], i) => {
    const pawns = from.filter((s) => s.place === place && s.alive).map((s) => s.seat);
    return { place, weapon, open: true, cards: [5, 4, 5, 3, 4, 2, 2][i]!, pawns, lamp: 'open' };
  });
}

export function update(over: Partial<Update['view']> = {}, n = 4): Update {
  const at = seats(n);
  return {
    v: 1,
    epoch: 1,
    rev: 7,
    demo: true,
    seq: 0,
    table: {
      readers: { urn: 'ok', show: 'ok' },
      online: at.map((s) => s.seat),
      url: 'http://[2001:db8:1234:5678:9abc:def0:1234:5678]:8080',
    },
    view: {
      game: 'huis-clos',
      viewer: 'public',
      phase: 'investigation',
      prompt: { k: 'hc.prompt.act', a: { seat: 'seat-1' } },
      rule: 'HC-033',
      active: [1],
      clock: { at: 5, of: 2 * n, mark: n + 1, open: true },
      switches: switches(),
      seats: at,
      places: places(at),
      shown: [],
      happened: [],
      gone: [],
      urn: 0,
      readers: [],
      offers: [],
      log: [
        { n: 1, round: 4, msg: { k: 'hc.log.deposited', a: { seat: 'seat-3' } } },
        { n: 2, round: 4, msg: { k: 'hc.log.nobody-dies' } },
        { n: 3, round: 4, msg: { k: 'hc.log.recovered', a: { seat: 'seat-2', card: 'clue-worms-3' } } },
        { n: 4, round: 5, msg: { k: 'hc.log.round', a: { seat: 'seat-1', n: '5' } } },
        { n: 5, round: 5, msg: { k: 'hc.log.moved', a: { seat: 'seat-1', place: 'place-salon' } } },
      ],
      ...over,
    },
  };
}

/** Updates by name, for src/dev. */
export const samples: Record<string, () => Update> = {
  play: () => {
    const u = update();
    u.view.places[1]!.lamp = 'here';
    u.view.places[5] = { ...u.view.places[5]!, cards: 0, open: false, lamp: 'closed' };
    return u;
  },
  start: () => {
    const u = update({ clock: { at: 0, of: 16, mark: 9, open: false }, phase: 'pick', log: [] }, 8);
    for (const s of u.view.seats) Object.assign(s, { place: 'place-suite-bleue', cards: 0, done: s.seat < 4 });
    u.view.places = places(u.view.seats).map((p, i) => ({ ...p, cards: i === 0 ? 9 : 5, lamp: i === 0 ? 'here' : 'open' }));
    return u;
  },
  deposit: () => {
    const u = update({
      phase: 'deposit',
      urn: 2,
      active: [3],
      readers: [{ reader: 'urn', kind: 'clue', seat: 3 }],
      clock: { at: 3, of: 8, mark: 5, open: false },
    });
    for (const s of u.view.seats) s.done = s.seat < 3;
    u.notice = { n: 4, msg: { k: 'gen.again', a: { seat: 'seat-3' } }, signal: 'again', reader: 'urn' };
    return u;
  },
  reveal: () => {
    const u = update(
      {
        phase: 'recovery',
        shown: ['weapon-tisonnier', 'clue-peely-1', 'clue-worms-3', 'clue-georges-2'],
        active: [4],
        gone: ['clue-worms-2'],
      },
      6,
    );
    for (const n of [1, 4]) Object.assign(u.view.seats[n]!, { alive: false, role: `role-innocent-${n}`, cards: 0, tokens: 0 });
    u.view.places = places(u.view.seats);
    u.view.places[1]!.lamp = 'crime';
    return u;
  },
  countdown: () => {
    const u = samples['play']!();
    u.count = { left: 754_000, of: 3_600_000, runs: true };
    return u;
  },
  'time-up': () => {
    const u = samples['play']!();
    u.count = { left: 0, of: 3_600_000 };
    u.paused = { k: 'table.paused.time' };
    u.hold = { by: 'clock', over: true };
    return u;
  },
  covered: () => {
    const u = samples['play']!();
    u.paused = { k: 'table.paused.host' };
    u.hold = { by: 'host' };
    return u;
  },
  hint: () => {
    const u = samples['play']!();
    u.hint = {
      n: 3,
      text: {
        fr: 'Regardez ce que chacun reprend de l’urne, il le choisit devant vous.',
        en: 'Watch what each of you takes back from the urn. It is chosen in front of you.',
      },
    };
    return u;
  },
  lost: () => {
    const u = samples['reveal']!();
    u.table.readers = { urn: 'lost', show: 'lost' };
    u.notice = { n: 4, msg: { k: 'gen.again', a: { seat: 'seat-3' } }, signal: 'again', reader: 'urn' };
    return u;
  },
  laying: () => {
    const u = update({
      phase: 'laying',
      prompt: { k: 'hc.prompt.laying' },
      active: [],
      readers: [{ reader: 'show', kind: 'clue', seat: 0 }],
      clock: { at: 0, of: 8, mark: 5, open: false },
      log: [],
    });
    u.table.readers = { urn: 'lost', show: 'lost' };
    return u;
  },
  over: () => {
    const u = update({
      phase: 'over',
      active: [],
      prompt: { k: 'hc.prompt.over' },
      result: { rule: 'HC-150', winners: [1], msg: { k: 'hc.over.unmasked', a: { seat: 'seat-1' } } },
      clock: { at: 6, of: 8, mark: 5, open: true },
    });
    u.view.seats.forEach((s) => (s.role = s.seat === 4 ? 'role-murderer' : `role-innocent-${s.seat}`));
    return u;
  },
  lobby: () => {
    const u = update({
      phase: 'lobby',
      prompt: { k: 'hc.prompt.lobby' },
      active: [],
      clock: { at: 0, of: 0, mark: 0, open: false },
      places: [],
      log: [],
    });
    u.view.seats = u.view.seats.map((s) => ({
      seat: s.seat,
      name: s.name,
      ...(s.character ? { character: s.character } : {}),
      cards: 0,
      tokens: 0,
      destroyed: 0,
      alive: true,
      first: s.seat === 1,
      done: false,
    }));
    u.table.online = [1, 3];
    u.table.url ??= 'http://192.168.178.123:8080';
    u.table.wall = 'kX3_vQz8';
    return u;
  },
  hostless: () => {
    const u = samples['lobby']!();
    u.table.host = HostFree;
    u.table.url = 'http://192.0.2.2:8080';
    u.table.name = 'majordome.local';
    return u;
  },
};

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
