// Sample updates of one seat in a Cluedo, for looking at the phone and for its tests.
import yaml from '../../../../../engine/cluedo/cluedo-2008.yaml?raw';
import type { Case, Heard, Names, Offer, Own, Param, Sighting, Update } from '../lib/wire';
import { clue, clueNames } from './clue';

/** The labels of the deck, with the effects of suspects and event cards. */
export const caseNames = (drawn = true): Names => {
  const does = new Map(
    [...yaml.matchAll(/\{id: ([a-z0-9-]+),.*?(power|kind): ([a-z-]+)\}/g)].map((
      m,
    ) => [m[1]!, `${m[2] === 'power' ? 'power' : 'event'}-${m[3]!}`]),
  );
  return clueNames(drawn).map((n) => (does.has(n.id) ? { ...n, of: does.get(n.id)! } : n));
};
const ids = (...kinds: string[]): string[] => caseNames().filter((n) => kinds.includes(n.kind)).map((n) => n.id);

const HAND = ['suspect-rose', 'weapon-corde', 'weapon-trophee', 'room-salon', 'room-cuisine'];
const me = (over: Partial<Own> = {}): Own => ({
  seat: 3,
  hand: [...HAND, 'butler-plus-six-1', 'butler-no-answer-2'].map((card) => ({ card })),
  tray: [],
  facts: [],
  seen: [],
  ...over,
});
const pair = (name: string, kind: string, domain: string[]): Param => ({ name, kind, domain });
const spoken = (name: string): Param => ({ ...pair(name, 'card', ids(name)), aloud: true });
const names = [spoken('suspect'), spoken('weapon')];
const room = spoken('room');
const faces = ['?', '2', '3', '4', '5', '6'];
const rolls = faces.flatMap((a, i) => faces.slice(i).map((b) => `${a}+${b}`));
const act = (name: string, rule: string, ...params: Param[]): Offer => ({ act: name, rule, ...(params.length > 0 ? { params } : {}) });
const card = (name: string, rule: string, ...domain: string[]): Offer => act(name, rule, pair('card', 'card', domain));
/** An offer in which all cards are shown in the same way, though this seat's own knowledge forbids some. */
const barred = (name: string, rule: string, may: string[], all: string[], why: string): Offer => ({
  ...act(name, rule),
  params: [{ name: 'card', kind: 'card', all, no: [{ rule, why: { k: why }, at: all.flatMap((v, i) => (may.includes(v) ? [] : [i])) }] }],
});
const idle = (...cards: string[]): Offer => barred('play', 'C8-034', [], cards, 'cl.no.moment.end');
const ASKED = ['suspect-rose', 'weapon-corde', 'room-spa'];
const none = (...held: string[]): Offer => ({
  ...act('none', 'C8-082'),
  ...(held.length > 0 ? { no: { rule: 'C8-081', why: { k: 'cl.no.look-again' } } } : {}),
});
const roll = [act('roll', 'C8-041', pair('dice', 'dice', rolls)), act('roll', 'C8-041')];
const hold: Offer[] = [{ ...card('hold', 'GEN-021', ...ids('suspect', 'weapon', 'room').filter((c) => !HAND.includes(c))), aside: true }, {
  ...card('forget', 'GEN-021', ...HAND),
  aside: true,
}];

/** Squares within n steps of 12,9 in the rows 8 to 10: no real reach, only for the picture. */
const near = (n: number): string[] => {
  const out: string[] = [];
  for (let r = 0; r <= 10; r++) {
    for (let c = 0; c < 29; c++) if (Math.abs(c - 12) + Math.abs(r - 9) <= n && (r >= 8 && r <= 10)) out.push(`${c},${r}`);
  }
  return out;
};
const named = (said: [number, string][], suspect = 'suspect-rose', weapon = 'weapon-corde', at = 'room-spa') => ({
  by: 1,
  suspect,
  weapon,
  room: at,
  answers: said.map(([seat, s]) => ({ seat, said: s })),
});

const log: [string, Record<string, string>, boolean?][] = [
  ['cl.log.turn', { seat: 'seat-4' }],
  ['cl.log.entered', { seat: 'seat-4', room: 'room-hall' }],
  ['cl.log.hypothesis', { seat: 'seat-4', suspect: 'suspect-olive', weapon: 'weapon-hache', room: 'room-hall' }],
  ['cl.log.none', { seat: 'seat-1' }],
  ['cl.log.shown-to', { seat: 'seat-2', other: 'seat-4' }],
  ['cl.log.turn', { seat: 'seat-3' }],
  ['cl.log.hypothesis', { seat: 'seat-3', suspect: 'suspect-leblanc', weapon: 'weapon-poison', room: 'room-salon' }],
  ['cl.log.none', { seat: 'seat-4' }],
  ['cl.log.shown-to', { seat: 'seat-1', other: 'seat-3' }],
  ['cl.log.shown.own', { seat: 'seat-1', card: 'weapon-poison' }, true],
];
const past: Heard[] = [
  { n: 1, round: 11, by: 4, cards: ['suspect-olive', 'weapon-hache', 'room-hall'], none: [1], shown: 2, to: 4 },
  { n: 2, round: 12, by: 3, cards: ['suspect-leblanc', 'weapon-poison', 'room-salon'], none: [4], shown: 1, to: 3, card: 'weapon-poison' },
];
const seen: Sighting[] = [
  { cards: ['weapon-poison'], how: 'shown', other: 1, round: 5 },
  { cards: ['room-chambre-amis'], how: 'there', place: 'pool', round: 4 },
  { cards: ['suspect-olive'], how: 'shown', other: 2, round: 3 },
];

function seat(prompt: string, c: Partial<Case> = {}, offers: Offer[] = [], over: Partial<Update['view']> = {}): Update {
  const u = clue({ pool: 1, past, ...c }, {});
  Object.assign(u.view, {
    viewer: 'seat-3',
    active: [3],
    prompt: {
      k: `cl.prompt.${prompt}`,
      a: { seat: 'seat-2', other: 'seat-1', n: '7', suspect: 'suspect-rose', weapon: 'weapon-corde', room: 'room-spa' },
    },
    rule: 'C8-040',
    me: me({ seen }),
    offers: [...offers, ...hold],
    ...over,
  });
  if (c.closes) u.left = c.closes - (c.opened ?? 0);
  u.view.seats.forEach((s, i) => (s.place = i === 0 ? 'room-hall' : 'room-salon'));
  u.view.log = log.map(([k, a, own], i) => ({ n: i + 20, round: 12, msg: { k, a }, ...(own ? { own } : {}) }));
  return u;
}

/** No seat has a card yet, and nothing has happened. */
const empty = (u: Update): Update => {
  u.view.log = [];
  for (const s of u.view.seats) Object.assign(s, { cards: 0, tokens: 0 });
  return u;
};

export const caseSamples: Record<string, () => Update> = {
  'c-lobby': () =>
    empty(
      seat('lobby', { step: '' }, [], {
        phase: 'lobby',
        active: [],
        log: [],
        clock: { at: 0, of: 0, mark: 0, open: false },
        me: me({ hand: [] }),
      }),
    ),
  'c-dealing': () =>
    seat('dealing.you', { step: '' }, [act('dealt', 'C8-004')], {
      phase: 'dealing',
      clock: { at: 0, of: 0, mark: 0, open: false },
      me: me({ hand: HAND.slice(0, 3).map((x) => ({ card: x })) }),
      readers: [{ reader: 'show', kind: 'mystery-card', seat: 3 }],
    }),
  'c-starting': () => seat('starting.you', { step: '' }, roll, { phase: 'starting', clock: { at: 0, of: 8, mark: 8, open: false } }),
  'c-start': () => seat('start.you', { step: 'start' }, [...roll, act('passage', 'C8-053'), act('stay', 'C8-097')]),
  'c-draw': () =>
    seat('draw.you', { step: 'draw', dice: [0, 5] }, [
      { ...act('draw', 'C8-131'), fixed: { kind: 'time' } },
      barred('draw', 'C8-130', ids('butler-card').filter((x) => !me().hand.some((h) => h.card === x)), ids('butler-card'), 'cl.no.draw'),
      { ...act('draw', 'C8-130'), fixed: { card: 'unnamed' } },
    ], { readers: [{ reader: 'urn', kind: 'event-card', seat: 3 }] }),
  'c-move': () =>
    seat('move.you', { step: 'move', dice: [3, 4], points: 7, way: 'dice' }, [
      act('move', 'C8-041', pair('to', 'place', ['room-salon', 'room-salle-de-projection', 'pool'])),
      act('move', 'C8-041', pair('to', 'square', near(7))),
      card('play', 'C8-152', 'butler-plus-six-1'),
      idle('butler-no-answer-2'),
    ]),
  'c-words': () =>
    seat('move.you', { step: 'move', dice: [3, 4], points: 7 }, [
      act('move', 'C8-041', pair('to', 'place', [...ids('room'), 'pool'])),
      act('move', 'C8-041', pair('to', 'square', ['corridor', 'question'])),
    ]),
  'c-said': () =>
    seat('start.said', { step: 'start' }, [
      act('move', 'C8-041', pair('to', 'place', [...ids('room').filter((r) => r !== 'room-cuisine'), 'pool'])),
      act('move', 'C8-041', pair('to', 'square', ['corridor', 'question'])),
      act('passage', 'C8-053'),
      { ...act('draw', 'C8-131'), fixed: { kind: 'time' } },
      { ...act('draw', 'C8-130'), fixed: { card: 'unnamed' } },
      ...roll,
      act('stay', 'C8-097'),
      { ...act('power', 'C8-172', pair('to', 'place', ['room-patio', 'room-hall'])) },
      card('play', 'C8-152', 'butler-plus-six-1'),
    ]),
  'c-act': () =>
    seat('act.you', { step: 'act', hypothesis: named([[2, 'none'], [3, 'none'], [4, 'shown']]) }, [
      act('hypothesis', 'C8-070', ...names),
      act('end', 'C8-033'),
      act('power', 'C8-173', ...names, room),
    ]),
  'c-pool': () =>
    seat('act.you', { step: 'act' }, [act('peek', 'C8-061'), { ...act('accuse', 'C8-110', ...names, room), grave: true },
      act('end', 'C8-033')]),
  'c-peeked': () => seat('end.you', { step: 'end' }, [act('end', 'C8-033')], { me: me({ tray: ['room-chambre-amis'] }) }),
  'c-displaced': () =>
    seat('displaced.you', { step: 'displaced', hypothesis: named([], 'suspect-olive') }, [act('draw', 'C8-090'), act('pass', 'C8-090')]),
  'c-answer': () =>
    seat('answer.you', { step: 'answer', hypothesis: named([[2, 'none'], [3, 'asked']]) }, [
      barred('answer', 'C8-081', ['suspect-rose', 'weapon-corde'], ASKED, 'cl.no.not-held'),
      none('suspect-rose'),
      card('play', 'C8-157', 'butler-no-answer-2'),
      idle('butler-plus-six-1'),
    ], {
      readers: [{ reader: 'show', kind: 'mystery-card', seat: 3 }],
      me: me({
        hand: [...HAND, 'butler-plus-six-1', 'butler-no-answer-2'].map((x) => ({
          card: x,
          ...(['suspect-rose', 'weapon-corde'].includes(x) ? { marks: ['fits'] } : {}),
          ...(x === 'butler-no-answer-2' ? { marks: ['play'] } : {}),
        })),
      }),
    }),
  'c-none': () =>
    seat('answer.you', { step: 'answer', hypothesis: named([[2, 'none'], [3, 'asked']]) }, [
      barred('answer', 'C8-081', [], ASKED, 'cl.no.not-held'),
      none(),
      idle('butler-replay-1', 'butler-see-card-1'),
    ], {
      readers: [{ reader: 'show', kind: 'mystery-card', seat: 3 }],
      me: me({
        hand: ['suspect-violet', 'suspect-moutarde', 'weapon-hache', 'weapon-batte', 'room-hall', 'butler-replay-1', 'butler-see-card-1']
          .map((x) => ({
            card: x,
          })),
      }),
    }),
  'c-answered': () =>
    seat('answered.you', { step: 'answer', hypothesis: named([[2, 'none'], [3, 'asked']]) }, [
      card('play', 'C8-157', 'butler-no-answer-2'),
      idle('butler-plus-six-1'),
    ], {
      me: me({ facts: [{ k: 'cl.fact.answered' }] }),
    }),
  'c-shown': () =>
    seat('shown.you', { step: 'shown', opened: 75000, closes: 90000, hypothesis: named([[2, 'shown']]) }, [
      act('pass', 'C8-035'),
      idle('butler-plus-six-1', 'butler-no-answer-2'),
    ], {
      active: [3, 4],
    }),
  'c-power': () =>
    seat('shown.you', { step: 'shown', opened: 75000, closes: 90000, hypothesis: named([[2, 'shown']]) }, [
      act('pass', 'C8-035'),
      { ...act('power', 'C8-170'), grave: true },
      card('play', 'C8-157', 'butler-no-answer-2'),
      idle('butler-plus-six-1'),
    ], { active: [3, 4] }),
  'c-shown-power': () =>
    seat('shown.you', { step: 'shown', opened: 75000, closes: 90000, hypothesis: named([[2, 'shown']]) }, [
      act('pass', 'C8-035'),
      { ...act('power', 'C8-170'), grave: true },
      idle('butler-plus-six-1', 'butler-no-answer-2'),
    ], { active: [3, 4] }),
  'c-lost': () => {
    const u = caseSamples['c-answer']!();
    u.table.readers = { urn: 'lost', show: 'lost' };
    return u;
  },
  'c-wrong': () => {
    const u = caseSamples['c-wait']!();
    u.view.seats[2]!.out = true;
    return u;
  },
  'c-peek': () =>
    seat('end.you', {
      step: 'end',
      hypothesis: { ...named([[4, 'none'], [1, 'shown']], 'suspect-leblanc', 'weapon-poison', 'room-salon'), by: 3 },
    }, [
      act('end', 'C8-033'),
      idle('butler-plus-six-1', 'butler-no-answer-2'),
    ], { me: me({ seen: [{ cards: ['weapon-poison'], how: 'shown', other: 1, round: 12 }, ...seen.slice(1)] }) }),
  'c-end': () =>
    seat('end.you', { step: 'end' }, [
      act('end', 'C8-033'),
      card('play', 'C8-155', 'butler-pawn-home-1'),
      idle('butler-plus-six-1', 'butler-no-answer-2'),
    ]),
  'c-verdict': () =>
    seat('verdict.you', { step: 'act' }, [{
      ...act('verdict', 'C8-112', pair('value', 'value', ['right', 'wrong', 'void'])),
      grave: true,
    }]),
  'c-wait': () => seat('start', { step: 'start', hypothesis: named([[2, 'none'], [3, 'none'], [4, 'none']]) }, [], { active: [2] }),
  'c-unnamed': () =>
    seat('answer.you', { step: 'answer', hypothesis: named([[2, 'none'], [3, 'asked']]) }, [
      barred('answer', 'C8-081', ['suspect-rose', 'room-spa'], ASKED, 'cl.no.not-held'),
      { ...act('answer', 'C8-081'), fixed: { card: 'unnamed' } },
      none(),
      card('play', 'C8-157', 'butler-no-answer-1', 'butler-no-answer-2'),
      idle('butler-replay-1', 'butler-replay-2', 'butler-stay'),
    ], { me: me({ hand: [] }) }),
  'c-notes': () => ({ ...seat('start', { step: 'start' }, [], { active: [2] }), notes: '1AEBAQBAAgAAQIAEAAEDAAAB' }),
  'c-dead': () => {
    const u = seat('start', { step: 'start' }, [], { active: [2], me: me({ hand: [] }), shown: HAND });
    Object.assign(u.view.seats[2]!, { alive: false, cards: 0, tokens: 0 });
    return u;
  },
  'c-over': () => {
    const u = seat('over', { step: '' }, [], {
      phase: 'over',
      active: [],
      result: { rule: 'C8-190', winners: [1], msg: { k: 'cl.over.right', a: { seat: 'seat-1' } } },
    });
    u.view.log.push({
      n: 60,
      round: 6,
      msg: {
        k: 'cl.log.accused',
        a: { seat: 'seat-1', suspect: 'suspect-leblanc', weapon: 'weapon-chandelier', room: 'room-observatoire' },
      },
    });
    return u;
  },
  'c-nobody': () =>
    seat('over', { step: '' }, [], { phase: 'over', active: [], result: { rule: 'C8-192', winners: [], msg: { k: 'cl.over.lost' } } }),
};
