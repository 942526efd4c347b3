// Sample updates of the table display: the moments of an evening that need more
// than one update, or a whole table of players.
import type { Line, Msg, Update } from '../lib/wire';
import { HapConfrontation, HapCrime, HapDied, HapFell, HapOpened, HapOver, HapRecovered, HapSpared } from '../gen/engine';
import { places, samples, update } from './fixtures';
import { type News, tell } from './tell';

const msg = (k: string, a?: Record<string, string>): Msg => (a === undefined ? { k } : { k, a });
const lines = (from: number, round: number, ...ms: Msg[]): Line[] => ms.map((m, i) => ({ n: from + i, round, msg: m }));

const deposits = (n: number): Line[] =>
  lines(20, 5, ...Array.from({ length: n }, (_, i) => msg('hc.log.deposited', { seat: `seat-${i + 1}` })));

/** The urn is full and closed. */
function shut(n = 6): Update {
  const u = update({ phase: 'reveal', urn: n, active: [1], prompt: msg('hc.prompt.reveal', { seat: 'seat-1' }), rule: 'HC-127', log: [] },
    n);
  return tell(u, 20, 5, ...deposits(n).map((l, i): News => [{ what: HapFell, seat: i + 1 }, l.msg]));
}

function kill(u: Update, seat: number, place: string, role: string): News {
  const s = u.view.seats.find((x) => x.seat === seat)!;
  const m = msg('hc.log.died', { seat: `seat-${seat}`, place, role, n: String(s.cards) });
  Object.assign(s, { alive: false, role, cards: 0, tokens: 0 });
  return [{ what: HapDied, seat, place, cards: [role] }, m];
}

function opened(n: number, shown: string[], told: (u: Update) => News[]): Update {
  const u = shut(n);
  Object.assign(u.view, {
    phase: 'recovery',
    urn: 0,
    shown,
    active: [4],
    prompt: msg('hc.prompt.recovery', { seat: 'seat-4' }),
    rule: 'HC-133',
  });
  const news = told(u);
  u.view.places = places(u.view.seats);
  return tell(u, 20 + n, 5, [{ what: HapOpened, seat: 1, cards: shown }, msg('hc.log.opened', { seat: 'seat-1', n: String(n) })], ...news);
}

const crime = (): Update => {
  const u = opened(6, ['weapon-tisonnier', 'weapon-5', 'clue-worms-3', 'clue-peely-1', 'clue-lecomte-2', 'clue-georges-2'], (u) => [
    [{ what: HapCrime, place: 'place-salon', cards: ['weapon-tisonnier'] }],
    kill(u, 1, 'place-salon', 'role-innocent-1'),
    kill(u, 3, 'place-salon', 'role-innocent-3'),
    [{ what: HapCrime, place: 'place-5', cards: ['weapon-5'] }],
    kill(u, 5, 'place-5', 'role-innocent-5'),
  ]);
  for (const i of [1, 4]) u.view.places[i]!.lamp = 'crime';
  return u;
};

/** Gives every second player a name that is long for a display. */
function crowd(u: Update): Update {
  for (const s of u.view.seats) {
    if (s.seat % 2 === 0) s.name = ['Barthélemy-François', 'Maximilienne', 'Jean-Christophe B.', 'Wilhelmine'][s.seat / 2 - 1] ?? s.name;
  }
  return u;
}

/** n of eight die in one place. */
const massacre = (n: number): Update =>
  crowd(
    opened(
      8,
      ['weapon-tisonnier', 'clue-borrow-1', 'clue-worms-3', 'clue-peely-1', 'clue-lecomte-2', 'clue-williams-4', 'clue-georges-2',
        'clue-puddingham-3'],
      (u) => [
        [{ what: HapCrime, place: 'place-suite-bleue', cards: ['weapon-tisonnier'] }],
        ...Array.from({ length: n }, (_, i) => kill(u, i + 1, 'place-suite-bleue', i === 0 ? 'role-murderer' : `role-innocent-${i}`)),
      ],
    ),
  );

export const evening: Record<string, () => Update> = {
  ...samples,
  'shut-8': () => crowd(shut(8)),
  ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`dead-${i + 1}`, () => massacre(i + 1)])),
  /** The lobby without players. */
  bare: () => {
    const u = samples['lobby']!();
    u.view.seats = [];
    return u;
  },
  /** The lobby on the screen of a computer that has made a Wi-Fi (dev/table.svelte). */
  wifi: () => samples['lobby']!(),
  shut,
  crime,
  alarm: () => ({ ...samples['covered']!(), paused: msg('table.paused.alarm'), hold: { by: 'button', alarm: true } }),
  quiet: () =>
    opened(
      6,
      ['weapon-7', 'clue-borrow-1', 'clue-worms-3', 'clue-peely-1', 'clue-lecomte-2', 'clue-georges-2'],
      () => [[{ what: HapSpared }, msg('hc.log.nobody-dies')]],
    ),
  duel: () => {
    const u = update({
      phase: 'investigation',
      mood: 'confrontation',
      clock: { at: 5, of: 8, mark: 0, open: false },
      active: [2],
      prompt: msg('hc.prompt.act', { seat: 'seat-2' }),
      log: [],
    });
    tell(u, 30, 5, [{ what: HapConfrontation }, msg('hc.log.confrontation')], [
      { what: HapRecovered, seat: 2, cards: ['clue-worms-3'] },
      msg('hc.log.recovered', { seat: 'seat-2', card: 'clue-worms-3' }),
    ]);
    kill(u, 1, 'place-salon', 'role-innocent-1');
    kill(u, 3, 'place-salon', 'role-innocent-3');
    u.view.seats[1]!.first = true;
    u.view.seats[0]!.first = false;
    u.view.places = places(u.view.seats);
    Object.assign(u.view.places[1]!, { open: false, lamp: 'closed', cards: 0 });
    u.view.places[3]!.lamp = 'here';
    return u;
  },
  endless: () => ({ ...evening['duel']!(), view: { ...evening['duel']!().view, clock: { at: 9, of: 0, mark: 0, open: false } } }),
  curtain: () => {
    const u = crime();
    const over = msg('hc.over.innocents-dead', { seat: 'seat-4' });
    Object.assign(u.view, {
      phase: 'over',
      active: [],
      prompt: msg('hc.prompt.over'),
      result: { rule: 'HC-151', winners: [4], msg: over },
    });
    for (const [seat, place] of [[2, 'place-4'], [6, 'place-7']] as const) kill(u, seat, place, `role-innocent-${seat}`);
    u.view.seats[3]!.role = 'role-murderer';
    u.view.places = places(u.view.seats).map((p) => (p.place === 'place-salon' || p.place === 'place-5' ? { ...p, lamp: 'crime' } : p));
    const dead = u.view.seats.filter((s) => !s.alive && s.seat !== 4).map((s) => `seat-${s.seat}`);
    u.ghosts = dead.map((seat, i) =>
      i === 0
        ? msg('table.ghost.knew', { seat, n: '3' })
        : msg(`table.ghost.${i === 1 ? 'lost' : 'wrong'}`, { seat, n: '2', other: seat === 'seat-5' ? 'seat-2' : 'seat-5' })
    );
    return tell(u, 40, 5, [{ what: HapOver }, over], [undefined,
      msg('hc.log.debrief.2', { seat: 'seat-4', a: 'weapon-3', b: 'clue-worms-1' })], [
      undefined,
      msg('hc.log.debrief.3', { seat: 'seat-2', a: 'clue-borrow-2', b: 'clue-peely-4', c: 'clue-williams-1' }),
    ]);
  },
  survivors: () => {
    const u = update({
      phase: 'over',
      active: [],
      clock: { at: 8, of: 8, mark: 5, open: true },
      prompt: msg('hc.prompt.over'),
      result: { rule: 'HC-154', winners: [1, 2, 3], msg: msg('hc.over.survivors') },
    });
    u.view.seats.forEach((s) => (s.role = s.seat === 4 ? 'role-murderer' : `role-innocent-${s.seat}`));
    return u;
  },
  nobody: () => {
    const u = update({
      phase: 'over',
      active: [],
      result: { rule: 'HC-210', winners: [], msg: msg('hc.over.nobody') },
      mood: 'confrontation',
    });
    return u;
  },
  count: () => update({ mood: 'count', active: [], prompt: msg('display.count') }),
  eight: () => {
    const u = update({
      phase: 'deposit',
      urn: 4,
      active: [5],
      prompt: msg('hc.prompt.deposit', { seat: 'seat-5' }),
      readers: [{ reader: 'urn', kind: 'clue', seat: 5 }],
      clock: { at: 11, of: 16, mark: 9, open: true },
      log: deposits(4),
    }, 8);
    for (const s of u.view.seats) s.done = s.seat < 5;
    u.vote = { by: 2, agreed: [2, 3], of: [1, 2, 3, 4, 5, 6, 7, 8] };
    return u;
  },
};
