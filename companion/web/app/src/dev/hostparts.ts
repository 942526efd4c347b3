// The parts of sample updates of the host.
import type { Enrol, Enrolling } from '../gen/wire';
import type { Args, Offer, Param, Update } from '../lib/wire';
import { names, samples, switches, update } from './fixtures';

export const ids = (kind: string): string[] => names.filter((n) => n.kind === kind).map((n) => n.id);
export const seatIds = (u: Update): string[] => u.view.seats.map((s) => `seat-${s.seat}`);
export const param = (name: string, kind: string, domain: string[]): Param => ({ name, kind, domain });
export const offer = (act: string, rule: string, params: Param[] = [], fixed?: Args): Offer => ({
  act,
  rule,
  ...(fixed ? { fixed } : {}),
  ...(params.length > 0 ? { params } : {}),
});
const over = (act: string, params: Param[] = [], fixed?: Args): Offer => ({
  ...offer(act, 'GEN-009', params, fixed),
  aside: true,
  grave: true,
  overrule: true,
});
export const unnamed = (act: string, rule: string): Offer => offer(act, rule, [], { card: 'unnamed' });
export const cards = [...ids('weapon'), ...ids('clue')];

/** The offers of the host at any time of a game. */
export const table: Offer[] = [
  { act: 'undo', rule: 'GEN-009', grave: true },
  { act: 'new-game', rule: 'GEN-001', grave: true, fixed: { game: 'huis-clos' }, params: [param('seats', 'value', ['keep', 'clear'])] },
];
const mend = (u: Update): Offer[] => [
  { act: 'count', rule: 'GEN-E09', aside: true },
  {
    act: 'shuffled',
    rule: 'GEN-001',
    aside: true,
    params: [param('place', 'place', u.view.places.filter((p) => p.cards > 0).map((p) => p.place))],
  },
  over('skip', [], { seat: 'seat-2' }),
  over('next-phase', [], { phase: u.view.phase }),
  over('turn-to', [param('seat', 'seat', seatIds(u))]),
  over('kill', [param('seat', 'seat', seatIds(u))]),
];

/** The offers of the lobby, as the engine and the loop make them. */
function lobbyOffers(u: Update): Offer[] {
  const taken = new Set(u.view.seats.map((s) => s.character));
  const free = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `seat-${n}`).filter((s) => !seatIds(u).includes(s));
  const first = u.view.seats.filter((s) => !s.first).map((s) => `seat-${s.seat}`);
  return [
    ...(free.length > 0
      ? [
        offer('sit', 'HC-002', [
          param('seat', 'seat', free),
          { name: 'name', kind: 'text', max: 24 },
          param(
            'character',
            'character',
            ids('character').filter((c) => !taken.has(c)),
          ),
        ]),
      ]
      : []),
    ...(u.desk?.guests?.length ? [offer('turn-away', 'GEN-E12', [param('seat', 'seat', u.desk.guests.map((g) => `seat-${g.seat}`))])] : []),
    offer('invite', 'GEN-E12', [param('seat', 'seat', [...seatIds(u), ...free])]),
    ...(u.view.seats.length > 0 ? [offer('rise', 'HC-002', [param('seat', 'seat', seatIds(u))])] : []),
    ...(first.length > 0 ? [offer('first', 'HC-020', [param('seat', 'seat', first)])] : []),
    ...Object.entries(u.view.switches).map(([id, value]) =>
      offer('switch', 'HC-154', [param('value', 'value', names.filter((n) => n.of === id && n.id !== value).map((n) => n.id))], {
        name: id,
      })
    ),
    ...(u.view.seats.length >= 4 && u.view.seats.some((s) => s.first) ? [offer('begin', 'HC-001')] : []),
    offer('box-check', 'GEN-E09', [], { on: u.box ? 'no' : 'yes' }),
    table[1]!,
  ];
}

export function lobby(n: number, over: (u: Update) => void = () => {}): Update {
  const u = samples['lobby']!();
  u.view.seats = u.view.seats.slice(0, n);
  u.view.prompt = { k: 'hc.prompt.lobby.host' };
  u.view.switches = switches();
  u.table.online = u.table.online.filter((s) => s <= n);
  over(u);
  u.view.offers = lobbyOffers(u);
  return u;
}

export function running(over: Partial<Update['view']>, offers: (u: Update) => Offer[], online: number[] = [1, 3]): Update {
  const u = update(over);
  u.table.online = online;
  u.view.custody = [
    { of: 'seat-1', cards: 'verified', role: 'verified' },
    { of: 'seat-2', cards: 'trusted', role: 'trusted' },
    { of: 'seat-3', cards: 'partly', role: 'verified' },
    { of: 'seat-4', cards: 'verified', role: 'trusted' },
    ...u.view.places.map((p, i) => ({ of: p.place as string, cards: i % 3 === 1 ? 'trusted' : 'verified' })),
  ];
  u.view.offers = [...offers(u), ...mend(u), ...table];
  return u;
}

export const before = (phase: string, prompt: string, active: number[], cardsOf: number): Partial<Update['view']> => {
  const u = update();
  for (const s of u.view.seats) Object.assign(s, { place: 'place-suite-bleue', cards: cardsOf, done: false });
  return {
    phase,
    active,
    prompt: { k: prompt, ...(active[0] ? { a: { seat: `seat-${active[0]}` } } : {}) },
    clock: { at: 0, of: 8, mark: 5, open: false },
    log: [],
    seats: u.view.seats,
    places: u.view.places.map((p, i) => ({
      ...p,
      cards: phase === 'pick' ? (i === 0 ? 9 : 5) : 0,
      pawns: i === 0 ? [1, 2, 3, 4] : [],
      lamp: 'open',
    })),
  };
};

/** Phones have come to free seats: some have asked, one is typing, and the next code is shown. */
export function coming(sitting: number, asked: readonly string[]): Update {
  return lobby(sitting, (u) => {
    const free = ids('character').filter((c) => !u.view.seats.some((s) => s.character === c));
    const guests = asked.map((name, i) => ({ seat: sitting + 1 + i, name, character: name === '' ? '' : free[i]! }));
    const url = (seat: number) => ({ seat, url: `http://10.42.0.1:8080/#j=AAECAwQFBgcICQoLDA0OD${seat}`, joined: false, minutes: 9 });
    u.desk = {
      invites: [...u.view.seats.map((s) => ({ seat: s.seat, url: '', joined: true })), url(sitting + 1 + asked.length)],
      guests,
      hosts: [{ n: 1, online: true }],
    };
  });
}

/** Phones have scanned the code on the display and ask for a seat; one finds none. */
export function asking(sitting: number, names: readonly string[]): Update {
  const u = coming(sitting, names);
  u.desk!.guests!.forEach((g, i) => (g.ask = String(4821 + 977 * i)));
  u.desk!.invites.splice(-1, 1, { seat: sitting + 1, url: 'http://10.42.0.1:8080/#j=AAECAwQFBgcICQoLDA0ODw', joined: false, minutes: 9 });
  u.desk!.asking = 1;
  return u;
}

/** The office's value for an enrolment before a game, or for one of a spare card in it. */
export const enrolling = (over: Partial<Enrolling>, ...may: string[]): Enrol => ({
  lists: [over.list ?? 'cards'],
  blank: false,
  open: { list: 'cards', need: 1, cards, may, tagged: 9, of: 39, short: cards.slice(3), asked: cards[3]!, next: cards[4]!, ...over },
});

export const aside = (act: string): Offer => ({ act, rule: 'GEN-001', aside: true });

/** A table with lights, under one of the three that it can have. */
export function lit(u: Update, light: string): Update {
  u.view.offers.push(...['game', 'white', 'dark'].filter((to) => to !== light).map((to) => ({ ...aside('light'), fixed: { to } })));
  u.desk = {
    invites: u.view.seats.map((s) => ({ seat: s.seat, url: '', joined: true })),
    hosts: [{ n: 1, online: true }, { n: 2, online: true }],
    light,
  };
  return u;
}

/** A table that waits for its host because something is missing. */
export function lost(backups: string[]): Update {
  const u = running({}, () => []);
  u.paused = { k: 'table.paused.lost' };
  u.lost = [
    { k: 'table.lost.steps', a: { game: '12', from: '57', to: '150', since: '2026-11-22 21:14:03', until: '2026-11-22 21:40:51' } },
    { k: 'table.lost.tags', a: { n: '2' } },
  ];
  u.view.offers = [{ act: 'go-on', rule: 'GEN-001', grave: true }];
  if (backups.length > 0) u.view.offers.push({ act: 'restore', rule: 'GEN-001', grave: true, params: [param('backup', 'value', backups)] });
  return u;
}
