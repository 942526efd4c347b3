// Sample updates of a Cluedo for the table display, with the names and the board
// of the deck that comes with the program.
import yaml from '../../../../../engine/cluedo/cluedo-2008.yaml?raw';
import { HapAccused, HapAsked, HapMidnight, HapMurdered, HapNone, HapOver, HapProven, HapShown, HapTurn, HapWrong } from '../gen/engine';
import type { Bench, BenchCard } from '../gen/wire';
import type { Case, Line, Msg, Names, PlaceView, SeatView, Update } from '../lib/wire';
import { type News, tell } from './tell';

const msg = (k: string, a?: Record<string, string>): Msg => (a === undefined ? { k } : { k, a });
const lines = (from: number, ...ms: Msg[]): Line[] => ms.map((m, i) => ({ n: from + i, round: 1, msg: m }));

const pairs = (re: RegExp): Record<string, string> => Object.fromEntries([...yaml.matchAll(re)].map((m) => [m[1]!, m[2]!]));
const things = [...yaml.matchAll(/\{id: ([a-z0-9-]+), fr: "([^"]+)", en: "([^"]+)"(?:, passage: ([a-z-]+))?/g)];
const kindOf = (id: string): string => ({ time: 'time-card', butler: 'butler-card' })[id.split('-')[0]!] ?? id.split('-')[0]!;
const ids = (kind: string): string[] => things.map((m) => m[1]!).filter((id) => kindOf(id) === kind);

export const plan = {
  rows: [...yaml.matchAll(/^ {4}- "([#.?A-Za-z]+)"$/gm)].map((m) => m[1]!),
  legend: pairs(/^ {4}([A-Z]): ([a-z-]+)$/gm),
  starts: pairs(/^ {4}(suspect-[a-z]+): "([0-9,]+)"$/gm),
  diagonals: pairs(/^ {4}(room-[a-z-]+): "([0-9,]+)"$/gm),
  passages: Object.fromEntries(things.filter((m) => m[4] !== undefined).map((m) => [m[1]!, m[4]!])),
};

/** The labels of the deck, with or without the drawing of the board. */
export const clueNames = (drawn = true): Names => [
  { id: 'cluedo-2008', kind: 'game', text: { fr: 'Cluedo', en: 'Cluedo' }, plan: drawn ? plan : { passages: plan.passages } },
  ...things.filter((m) => /^(suspect|weapon|room|pool|time|butler)/.test(m[1]!)).map((m) => ({
    id: m[1]!,
    kind: kindOf(m[1]!),
    text: { fr: m[2]!, en: m[3]! },
  })),
];

const PLAYERS = ['Anne', 'Bruno', 'Chloé', 'David', 'Élise', 'Maximilienne-Alexandra', 'Jean-Baptiste', 'Maximilien', 'Théophile',
  'Éléonore'];
const ROOMS = [...ids('room'), 'pool'];
const WHERE = ['room-spa', 'room-spa', '12,9', 'room-salon', 'pool', '18,28']; // of the six pawns, in deck order

function seats(n: number): SeatView[] {
  return Array.from({ length: n }, (_, i) => ({
    seat: i + 1,
    name: PLAYERS[i]!,
    character: ids('suspect')[i % ids('suspect').length]!,
    cards: Math.floor(21 / n),
    tokens: i % 3,
    destroyed: 0,
    alive: true,
    first: i === 1,
    done: false,
  }));
}

function places(u: { seats: SeatView[] }, c: Case): PlaceView[] {
  return ROOMS.map((place) => ({
    place,
    open: true,
    cards: place === 'pool' ? c.pool : 0,
    lamp: 'open',
    pawns: u.seats.filter((s) => c.pawns.some((p) => p.suspect === s.character && p.at === place)).map((s) => s.seat),
  }));
}

/** A public update of a Cluedo with n players. */
export function clue(over: Partial<Case> = {}, view: Partial<Update['view']> = {}, n = 4): Update {
  const at = view.seats ?? seats(n);
  const c: Case = {
    turn: 2,
    step: 'start',
    dice: [],
    points: 0,
    reach: [],
    pile: 17,
    pool: 21 % n,
    pawns: ids('suspect').map((suspect, i) => ({ suspect, ...(/^\d/.test(WHERE[i]!) ? { square: WHERE[i]! } : { at: WHERE[i]! }) })),
    tokens: ids('weapon').map((weapon, i) => ({
      weapon,
      at: ['pool', 'room-spa', 'pool', 'room-salon', 'room-cuisine', 'pool', 'pool', 'room-hall', 'pool'][i]!,
    })),
    ...over,
  };
  return {
    v: 1,
    epoch: 1,
    rev: 7,
    demo: true,
    seq: 0,
    table: { readers: { urn: 'ok', show: 'ok' }, online: at.map((s) => s.seat), url: 'http://192.168.178.123:8080' },
    view: {
      game: 'cluedo-2008',
      viewer: 'public',
      phase: 'turn',
      prompt: msg('cl.prompt.start', { seat: 'seat-2' }),
      rule: 'C8-040',
      active: [2],
      clock: { at: 3, of: 8, mark: 8, open: false },
      switches: { 'two-players': 'off' },
      seats: at,
      places: places({ seats: at }, c),
      shown: [],
      happened: [],
      gone: ['time-1', 'time-4', 'time-6', 'butler-replay-2'],
      urn: 0,
      readers: [],
      offers: [],
      case: c,
      log: lines(40, msg('cl.log.none', { seat: 'seat-4' }), msg('cl.log.shown', { seat: 'seat-2' }),
        msg('cl.log.turn', { seat: 'seat-2' })),
      ...view,
    },
  };
}

const lit = (u: Update, lamps: Record<string, string>): Update => {
  for (const p of u.view.places) p.lamp = lamps[p.place] ?? p.lamp;
  return u;
};

const HYPOTHESIS = { by: 2, suspect: 'suspect-violet', weapon: 'weapon-trophee', room: 'room-spa' };
const aloud = msg('cl.log.hypothesis', { seat: 'seat-2', suspect: 'suspect-violet', weapon: 'weapon-trophee', room: 'room-spa' });
const moved: Case['tokens'] = ids('weapon').map((weapon) => ({ weapon, at: weapon === 'weapon-trophee' ? 'room-spa' : 'pool' }));

const turn = (seat: number): News => [{ what: HapTurn, seat }, msg('cl.log.turn', { seat: `seat-${seat}` })];
const nothing = (seat: number): News => [{ what: HapNone, seat }, msg('cl.log.none', { seat: `seat-${seat}` })];

const answering = (n: number): Update =>
  tell(
    lit(
      clue(
        {
          step: 'answer',
          dice: [4, 2],
          way: 'dice',
          tokens: moved,
          hypothesis: {
            ...HYPOTHESIS,
            answers: [{ seat: 3, said: 'none' }, { seat: 4, said: 'none' }, { seat: n < 5 ? 1 : 5, said: 'asked' }],
          },
        },
        {
          active: [n < 5 ? 1 : 5],
          prompt: msg('cl.prompt.answer', { seat: `seat-${n < 5 ? 1 : 5}` }),
          readers: [{ reader: 'show', kind: 'mystery-card', seat: n < 5 ? 1 : 5 }],
          log: [],
        },
        n,
      ),
      { 'room-spa': 'here' },
    ),
    43,
    1,
    turn(2),
    [{ what: HapAsked, seat: 2, cards: ['suspect-violet', 'weapon-trophee', 'room-spa'] }, aloud],
    nothing(3),
    nothing(4),
  );

const last = (u: Update): Update => {
  u.view.clock = { at: 7, of: 8, mark: 8, open: true };
  return u;
};

/** Seat s dies; its cards are turned face up. */
function murder(u: Update, s: number, cards: string[]): Update {
  const seat = u.view.seats[s - 1]!;
  Object.assign(seat, { alive: false, cards: 0, tokens: 0 });
  delete seat.place;
  for (const p of u.view.case!.pawns) if (p.suspect === seat.character) Object.assign(p, { at: '', square: '', gone: true });
  u.view.places = u.view.places.map((p) => ({ ...p, pawns: p.pawns.filter((x) => x !== s) }));
  u.view.shown = [...u.view.shown, ...cards];
  return tell(u, u.view.log.at(-1)!.n + 1, 1, [{ what: HapMidnight, seat: s }, msg('cl.log.eighth', { seat: `seat-${s}` })], [{
    what: HapMurdered,
    seat: s,
    cards,
  }, msg('cl.log.murdered', { seat: `seat-${s}` })]);
}

const HAND = ['suspect-olive', 'weapon-corde', 'weapon-haltere', 'room-patio', 'room-salle-de-projection'];
const RIGHT = ['suspect-leblanc', 'weapon-chandelier', 'room-observatoire'];
const drawing = (): Update =>
  last(
    clue({ step: 'draw', dice: [0, 5] }, {
      prompt: msg('cl.prompt.draw', { seat: 'seat-2' }),
      readers: [{ reader: 'urn', kind: 'event-card', seat: 2 }],
    }),
  );

export const clueSamples: Record<string, () => Update> = {
  'c-start': () => clue(),
  'c-dealing': () =>
    clue({}, {
      phase: 'dealing',
      clock: { at: 0, of: 0, mark: 0, open: false },
      active: [1],
      prompt: msg('cl.prompt.dealing', { seat: 'seat-1' }),
      log: lines(2, msg('cl.log.sealed')),
      readers: [{ reader: 'show', kind: 'mystery-card', seat: 1 }],
    }),
  'c-move': () =>
    lit(
      clue({ step: 'move', dice: [0, 5], points: 5, way: 'dice', reach: ['room-salle-de-projection', 'room-salon'] }, {
        prompt: msg('cl.prompt.move', { seat: 'seat-2' }),
        log: lines(42, msg('cl.log.turn', { seat: 'seat-2' }), msg('cl.log.rolled', { seat: 'seat-2', dice: '?+5' }),
          msg('cl.log.butler', { seat: 'seat-2' })),
      }, 3),
      { 'room-salle-de-projection': 'reach', 'room-salon': 'reach' },
    ),
  'c-outside': () => {
    const u = clue();
    for (const p of u.view.case!.pawns.slice(0, 4)) Object.assign(p, { at: '', square: '' }); // outside the rooms, on an unknown square
    return u;
  },
  'c-answer': () => answering(4),
  'c-six': () => {
    const u = answering(6);
    u.view.seats[0]!.out = true;
    u.view.seats[2]!.spent = true;
    return u;
  },
  'c-shown': () => {
    const u = answering(4);
    Object.assign(u.view.case!, { step: 'shown', opened: 75000, closes: 90000 });
    u.left = 15000;
    u.view.case!.hypothesis!.answers[2]!.said = 'shown';
    Object.assign(u.view, { active: [1, 3, 4], prompt: msg('cl.prompt.shown', { seat: 'seat-1', other: 'seat-2' }), readers: [] });
    return tell(u, 47, 1, [{ what: HapShown, seat: 1, other: 2 }, msg('cl.log.shown', { seat: 'seat-1' })]);
  },
  'c-seven': drawing,
  'c-midnight': () => {
    const u = murder(drawing(), 2, HAND);
    Object.assign(u.view.case!, { turn: 3, step: 'start', dice: [] });
    Object.assign(u.view, { active: [3], prompt: msg('cl.prompt.start', { seat: 'seat-3' }), readers: [] });
    return tell(u, 62, 1, turn(3));
  },
  'c-pool': () => {
    const u = lit(
      clue(
        {
          step: 'act',
          dice: [6, 3],
          way: 'dice',
          tokens: ids('weapon').map((weapon) => ({ weapon, at: 'pool' })),
          pawns: ids('suspect').map((suspect) => ({ suspect, at: 'pool' })),
        },
        { prompt: msg('cl.prompt.act', { seat: 'seat-2' }) },
        6,
      ),
      { pool: 'here' },
    );
    u.view.places.forEach((p) => (p.pawns = p.place === 'pool' ? [1, 2, 3, 4, 5, 6] : []));
    return u;
  },
  'c-many': () =>
    murder(murder(answering(4), 3, HAND), 4, ['suspect-rose', 'weapon-hache', 'weapon-batte', 'room-chambre-amis', 'room-salle-a-manger']),
  'c-accusing': () => murder(last(clue({ step: 'act' }, { prompt: msg('cl.prompt.act', { seat: 'seat-2' }) })), 4, HAND),
  // A sixth seat with a long name, whose accusation is secret unless it is right (SC-092).
  'c-writing': () => clue({ step: 'act', turn: 6 }, { active: [6], prompt: msg('cl.prompt.act', { seat: 'seat-6' }) }, 6),
  'c-secret': () => {
    const u = clueSamples['c-writing']!();
    u.view.shown = RIGHT;
    Object.assign(u.view, {
      phase: 'over',
      active: [],
      prompt: msg('cl.prompt.over'),
      result: { rule: 'SC-099', winners: [6], solution: RIGHT, msg: msg('cl.over.right', { seat: 'seat-6' }) },
    });
    return tell(
      u,
      70,
      1,
      [{ what: HapAccused, seat: 6 }, msg('cl.log.accused-secret', { seat: 'seat-6' })],
      [{ what: HapProven, seat: 6, cards: RIGHT }],
      [{ what: HapOver }, msg('cl.over.right', { seat: 'seat-6' })],
    );
  },
  'c-wrong': () => {
    const u = murder(last(clue({ turn: 3 }, { active: [3], prompt: msg('cl.prompt.start', { seat: 'seat-3' }) })), 4, HAND);
    u.view.seats[1]!.out = true;
    const said = { seat: 'seat-2', suspect: 'suspect-rose', weapon: 'weapon-chandelier', room: 'room-salle-de-projection' };
    return tell(
      u,
      70,
      1,
      [{ what: HapAccused, seat: 2, cards: ['suspect-rose', 'weapon-chandelier', 'room-salle-de-projection'] },
        msg('cl.log.accused', said)],
      [{ what: HapWrong, seat: 2 }, msg('cl.log.wrong', { seat: 'seat-2' })],
      turn(3),
    );
  },
  'c-win': () => {
    const u = murder(last(clue({ step: 'end' })), 4, HAND);
    u.view.shown = [
      'suspect-leblanc',
      'suspect-olive',
      'weapon-chandelier',
      'weapon-corde',
      'weapon-haltere',
      'room-patio',
      'room-observatoire',
      'room-salle-de-projection',
    ];
    const said = { seat: 'seat-2', suspect: 'suspect-leblanc', weapon: 'weapon-chandelier', room: 'room-observatoire' };
    Object.assign(u.view, {
      phase: 'over',
      active: [],
      prompt: msg('cl.prompt.over'),
      result: { rule: 'C8-190', winners: [2], solution: RIGHT, msg: msg('cl.over.right', { seat: 'seat-2' }) },
    });
    return tell(
      u,
      70,
      1,
      [{ what: HapAccused, seat: 2, cards: RIGHT }, msg('cl.log.accused', said)],
      [{ what: HapProven, seat: 2, cards: RIGHT }],
      [{ what: HapOver }, msg('cl.over.right', { seat: 'seat-2' })],
    );
  },
  // Ten players, the most of any game, whose hands are shown at the end (GEN-008).
  'c-ten': () => {
    const u = clue({ step: 'act' }, { prompt: msg('cl.prompt.act', { seat: 'seat-2' }) }, 10);
    const over = msg('cl.over.right', { seat: 'seat-6' });
    Object.assign(u.view, {
      phase: 'over',
      active: [],
      prompt: msg('cl.prompt.over'),
      result: { rule: 'SC-099', winners: [6], solution: RIGHT, msg: over },
    });
    const [suspect, weapon, room] = RIGHT;
    const [weapons, rooms] = [ids('weapon'), ids('room')];
    const hand = (i: number): Msg =>
      msg('cl.log.debrief.3', {
        seat: `seat-${i + 1}`,
        a: ids('suspect')[i % 6]!,
        b: weapons[i % weapons.length]!,
        c: rooms[i % rooms.length]!,
      });
    const hands = Array.from({ length: 10 }, (_, i): News => [undefined, hand(i)]);
    return tell(u, 70, 1, [{ what: HapOver }, over], ...hands, [
      undefined,
      msg('cl.log.debrief.solution', { suspect: suspect!, weapon: weapon!, room: room! }),
    ]);
  },
  'c-nobody': () => {
    const u = clueSamples['c-win']!();
    Object.assign(u.view, { result: { rule: 'C8-192', winners: [], msg: msg('cl.over.lost') }, shown: HAND });
    u.view.seats.forEach((s) => (s.out = s.alive));
    return u;
  },
};

const GLOW: Record<string, string> = { here: '#ff9a45', reach: '#c9963f' };

/** A simulated table that agrees with the record of u; the cards are dealt in deck order, the hands first. */
export function clueBench(u: Update): Bench {
  const { view } = u;
  const cards: BenchCard[] = [];
  const piles = {
    mystery: ids('suspect').flatMap((s, i) => [s, ids('weapon')[i]!, ids('room')[i]!]),
    events: [...ids('butler-card'), ...ids('time-card')],
  };
  piles.mystery.push(...[...ids('weapon'), ...ids('room')].filter((id) => !piles.mystery.includes(id)));
  const lay = (spot: string, pile: string[], count: number) => {
    for (const id of pile.splice(0, count)) {
      const name = things.find((m) => m[1] === id)!;
      cards.push({
        tag: (0x04b10000 + cards.length).toString(16).padStart(8, '0'),
        card: id,
        kind: kindOf(id),
        name: { fr: name[2]!, en: name[3]! },
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
