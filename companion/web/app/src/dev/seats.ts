// Sample updates of one seat, for looking at the phone and for its tests.
import type { Offer, Own, Update } from '../lib/wire';
import { names, update } from './fixtures';

const places = ['place-suite-bleue', 'place-3', 'place-4', 'place-5', 'place-6', 'place-7'];
const idle = [0, 3, 4].map((at) => ({ rule: 'HC-052', why: { k: 'hc.no.idle', a: { place: places[at]! } }, at: [at] }));
const move: Offer = { act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', all: places, no: idle }] };
const hand = ['clue-borrow-2', 'weapon-corde', 'clue-georges-1'];
const tray = ['weapon-4', 'clue-worms-1', 'clue-peely-3', 'clue-lecomte-4', 'clue-williams-1'];
const every = names.filter((n) => n.kind === 'weapon' || n.kind === 'clue').map((n) => n.id);

const one = (act: string, rule: string, domain: string[], grave = false): Offer => ({
  act,
  rule,
  ...(grave ? { grave } : {}),
  params: [{ name: 'card', kind: 'card', domain }],
});
/** The same offer with all cards shown, though this seat's own knowledge forbids some. */
export const barred = (o: Offer, all: string[], rule: string, why: string): Offer => ({
  ...o,
  params: (o.params ?? []).map(({ name, kind, domain, aloud }) => ({
    name,
    kind,
    all,
    no: [{ rule, why: { k: why }, at: all.flatMap((v, i) => (domain?.includes(v) ? [] : [i])) }],
    ...(aloud ? { aloud } : {}),
  })),
});
const aloud = (o: Offer): Offer => ({ ...o, params: (o.params ?? []).map((p) => ({ ...p, aloud: true })) });
const unnamed = (act: string, rule: string): Offer => ({ act, rule, fixed: { card: 'unnamed' } });
const me = (over: Partial<Own> = {}): Own => ({
  seat: 3,
  role: 'role-innocent-2',
  hand: hand.map((card) => ({ card })),
  tray: [],
  facts: [],
  seen: [],
  ...over,
});

function seat(over: Partial<Update['view']> = {}): Update {
  const u = update({
    viewer: 'seat-3',
    active: [3],
    offers: [move],
    prompt: { k: 'hc.prompt.move.you', a: { place: 'place-salon' } },
    rule: 'HC-050',
    me: me(),
    ...over,
  });
  u.view.seats[2]!.cards = u.view.me?.hand.length ?? 0;
  u.view.log = [...u.view.log, { n: 6, round: 5, msg: { k: 'ui.card.kills', a: { place: 'place-salon' } }, own: true }];
  return u;
}
const before = { clock: { at: 0, of: 8, mark: 5, open: false } };
const ask = (what: string, rule: string): Partial<Update['view']> => ({
  prompt: { k: `hc.prompt.${what}`, a: { place: 'place-salon', seat: 'seat-1' } },
  rule,
});

export const seatSamples: Record<string, () => Update> = {
  lobby: () =>
    seat({
      phase: 'lobby',
      ...ask('lobby', 'HC-001'),
      active: [],
      offers: [],
      places: [],
      log: [],
      clock: { at: 0, of: 0, mark: 0, open: false },
      me: me({ role: '', hand: [] }),
    }),
  roles: () =>
    seat({
      phase: 'roles',
      ...before,
      ...ask('roles.you', 'HC-005'),
      offers: [{ act: 'role', rule: 'HC-005', params: [{ name: 'value', kind: 'role', domain: ['murderer', 'innocent', 'unknown'] }] }],
      me: me({ role: '', hand: [] }),
      readers: [{ reader: 'show', kind: 'role-card', seat: 3 }],
    }),
  pick: () =>
    seat({
      phase: 'pick',
      ...before,
      ...ask('pick.you', 'HC-022'),
      offers: [one('keep', 'HC-022', [...tray, 'clue-georges-2', 'weapon-corde'])],
      me: me({ hand: [], tray: [...tray, 'clue-georges-2', 'weapon-corde'] }),
      readers: [{ reader: 'show', kind: 'clue', seat: 3 }],
    }),
  'pick-unseen': () =>
    seat({
      phase: 'pick',
      ...before,
      ...ask('pick.you', 'HC-022'),
      offers: [one('keep', 'HC-022', every), unnamed('keep', 'HC-022')],
      me: me({ hand: [], tray: [] }),
    }),
  move: () => seat(),
  act: () =>
    seat({
      ...ask('act.you', 'HC-051'),
      offers: [
        { act: 'search', rule: 'HC-060' },
        { act: 'exchange', rule: 'HC-081', params: [{ name: 'seat', kind: 'seat', domain: ['seat-1', 'seat-2'] }] },
        { ...barred(one('accuse', 'HC-091', ['clue-borrow-2'], true), hand, 'HC-091', 'hc.no.accuse-clue'), fixed: { seat: 'seat-1' } },
        { ...barred(one('accuse', 'HC-091', [], true), hand, 'HC-091', 'hc.no.accuse-clue'), fixed: { seat: 'seat-2' } },
      ],
    }),
  // Two weapons too many: the same page, but only a search is allowed (HC-188).
  excess: () => {
    const u = seatSamples['act']!();
    const why = { rule: 'HC-188', why: { k: 'hc.fact.excess' } };
    u.view.me!.facts = [why.why];
    u.view.offers = u.view.offers.map((o) => ({
      ...o,
      ...(o.params
        ? { params: o.params.map(({ name, kind, all, domain }) => ({ name, kind, all: all ?? domain!, no: [{ ...why, at: [0, 1, 2] }] })) }
        : {}),
    }));
    return u;
  },
  known: () =>
    seat({
      ...ask('act.you', 'HC-051'),
      offers: [{
        act: 'accuse',
        rule: 'HC-091',
        grave: true,
        fixed: { seat: 'seat-1', confirm: 'known-innocent' },
        params: barred(one('accuse', 'HC-091', ['clue-borrow-2']), hand, 'HC-091', 'hc.no.accuse-clue').params!,
      }],
    }),
  search: () =>
    seat({
      ...ask('take.you', 'HC-061'),
      me: me({ role: 'role-murderer', tray, facts: [{ k: 'hc.fact.one-weapon' }] }),
      offers: [one('take', 'HC-061', tray)],
      readers: [{ reader: 'show', kind: 'clue', seat: 3 }],
    }),
  settle: () =>
    seat({
      ...ask('settle.you', 'HC-062'),
      me: me({ hand: [...hand.map((card) => ({ card })), { card: 'clue-worms-1', marks: ['new'] }] }),
      offers: [
        barred(one('leave', 'HC-062', hand), [...hand, 'clue-worms-1'], 'HC-061', 'hc.no.just-taken'),
        barred(one('destroy', 'HC-070', ['clue-georges-1', 'clue-worms-1'], true), [...hand, 'clue-worms-1'], 'HC-074', 'hc.no.own-clue'),
      ],
    }),
  draw: () =>
    seat({
      ...ask('draw.you', 'HC-083'),
      offers: [{ act: 'draw', rule: 'HC-083' }, one('draw', 'HC-083', every.slice(8)), unnamed('draw', 'HC-083')],
      readers: [{ reader: 'show', kind: 'clue', seat: 3 }],
    }),
  give: () =>
    seat({
      ...ask('give.you', 'HC-083'),
      me: me({ hand: [{ card: hand[0]! }, { card: hand[1]! }, { card: 'clue-worms-2', marks: ['new'] }] }),
      offers: [barred(one('give', 'HC-083', hand.slice(0, 2)), [...hand.slice(0, 2), 'clue-worms-2'], 'HC-084', 'hc.no.give-back')],
    }),
  deposit: () => {
    const u = seat({
      phase: 'deposit',
      ...ask('deposit.you', 'HC-120'),
      urn: 2,
      me: me({
        hand: hand.map((card) => ({ card, ...(card === 'weapon-corde' ? {} : { marks: ['deposit'] }) })),
        facts: [{ k: 'hc.fact.no-kill' }],
      }),
      offers: [barred(one('deposit', 'HC-120', [hand[0]!, hand[2]!], true), hand, 'HC-122', 'hc.no.kills')],
      readers: [{ reader: 'urn', kind: 'clue', seat: 3 }],
    });
    u.notice = { n: 3, msg: { k: 'gen.again', a: { seat: 'seat-3' } }, rule: 'HC-122', private: true };
    return u;
  },
  unnamed: () => {
    const u = seat({
      phase: 'deposit',
      ...ask('deposit.you', 'HC-120'),
      urn: 2,
      me: me({ hand: [{ card: hand[0]! }], facts: [{ k: 'hc.fact.no-kill' }, { k: 'hc.fact.no-suicide' }] }),
      offers: [barred(one('deposit', 'HC-120', every.slice(6), true), every, 'HC-123', 'hc.no.suicide'), {
        ...unnamed('deposit', 'HC-120'),
        grave: true,
      }, {
        ...one('hold', 'GEN-021', every.slice(9)),
        aside: true,
      }, { ...one('forget', 'GEN-021', [hand[0]!]), aside: true }],
    });
    u.view.seats[2]!.cards = 3;
    return u;
  },
  mend: () => {
    const u = seat();
    u.view.offers = [move, { ...one('forget', 'GEN-021', hand), aside: true }, { act: 'withdraw', rule: 'GEN-009', aside: true }, {
      act: 'propose-undo',
      rule: 'GEN-009',
      aside: true,
    }];
    return u;
  },
  reveal: () => seat({ phase: 'reveal', ...ask('reveal.you', 'HC-127'), urn: 4, offers: [{ act: 'open', rule: 'HC-127', grave: true }] }),
  show: () =>
    seat({
      phase: 'reveal',
      ...ask('show.you', 'HC-127'),
      urn: 4,
      shown: ['clue-worms-1'],
      offers: [aloud(one('show', 'HC-127', every.slice(3))), { act: 'shown', rule: 'HC-127', grave: true }],
    }),
  recover: () =>
    seat({
      phase: 'recovery',
      ...ask('recovery.you', 'HC-133'),
      shown: ['weapon-corde', 'weapon-4', 'clue-worms-1', 'clue-peely-3'],
      me: me({ hand: [{ card: 'clue-borrow-2' }, { card: 'weapon-7' }], facts: [{ k: 'hc.fact.one-weapon' }] }),
      offers: [
        barred(
          aloud(one('recover', 'HC-133', ['clue-worms-1', 'clue-peely-3'])),
          ['weapon-corde', 'weapon-4', 'clue-worms-1', 'clue-peely-3'],
          'HC-137',
          'hc.no.second-weapon',
        ),
      ],
      readers: [{ reader: 'show', kind: 'clue', seat: 3 }],
    }),
  wait: () => {
    const u = seat({ active: [1], offers: [{ act: 'observe', rule: 'HC-110' }], ...ask('window', 'HC-118') });
    u.table = { readers: { urn: 'lost', show: 'ok' }, online: [1, 3] };
    return u;
  },
  window: () => seat({ active: [1], offers: [{ act: 'observe', rule: 'HC-110' }], ...ask('window', 'HC-118') }),
  peek: () =>
    seat({
      active: [1],
      offers: [],
      ...ask('finish', 'HC-065'),
      me: me({ seen: [{ cards: ['weapon-4'], how: 'taken', place: 'place-salon', other: 1, round: 5 }] }),
    }),
  know: () => seat({ active: [1], offers: [], ...ask('act', 'HC-051'), me: me({ seen: seen() }) }),
  dead: () => {
    const u = seat({ active: [1], offers: [], ...ask('move', 'HC-050'), me: me({ hand: [], seen: seen() }) });
    Object.assign(u.view.seats[2]!, { alive: false, role: 'role-innocent-2', cards: 0, tokens: 0, place: '' });
    u.view.log = Array.from(
      { length: 40 },
      (_, i) => ({ n: i + 1, round: 1 + Math.floor(i / 8), msg: { k: 'hc.log.deposited', a: { seat: `seat-${1 + (i % 4)}` } } }),
    );
    return u;
  },
  ghost: () => {
    const u = seatSamples['dead']!();
    const why = { rule: 'GEN-007', why: { k: 'table.ghost.same' }, at: [1] };
    u.view.offers = [
      {
        act: 'ghost-vote',
        rule: 'GEN-007',
        aside: true,
        params: [{ name: 'seat', kind: 'seat', all: ['seat-1', 'seat-2', 'seat-4'], no: [why] }],
      },
    ];
    return u;
  },
  duel: () => {
    const u = seat({ mood: 'confrontation', clock: { at: 9, of: 0, mark: 0, open: false } });
    for (const n of [1, 3]) Object.assign(u.view.seats[n]!, { alive: false, cards: 0 });
    return u;
  },
  count: () => seat({ mood: 'count', offers: [] }),
  vote: () => {
    const u = seat({
      active: [1],
      ...ask('act', 'HC-051'),
      offers: [{ act: 'agree-undo', rule: 'GEN-009', aside: true }, { act: 'refuse-undo', rule: 'GEN-009', aside: true }],
    });
    u.vote = { by: 1, agreed: [1, 4], of: [1, 2, 3, 4] };
    return u;
  },
  over: () => {
    const u = seat({
      phase: 'over',
      active: [],
      offers: [],
      result: { rule: 'HC-150', winners: [1], msg: { k: 'hc.over.unmasked', a: { seat: 'seat-1' } } },
      rule: 'HC-150',
    });
    u.view.seats.forEach((s) => (s.role = s.seat === 4 ? 'role-murderer' : `role-innocent-${s.seat}`));
    return u;
  },
  hint: () => {
    const u = seat();
    u.hint = {
      n: 2,
      own: true,
      text: {
        fr: 'Regardez mieux la Suite bleue, quelqu’un y revient toujours.',
        en: 'Look harder at the Blue Suite. Somebody keeps coming back.',
      },
    };
    u.view.offers.push({ act: 'ask-hint', rule: 'GEN-010', aside: true, fixed: { on: 'yes' } });
    return u;
  },
  'hint-all': () => {
    const u = seat();
    u.hint = {
      n: 3,
      text: {
        fr: 'Relisez vos notes, la réponse s’y trouve peut-être déjà.',
        en: 'Read your notes again. The answer may be there already.',
      },
    };
    u.view.offers.push({ act: 'ask-hint', rule: 'GEN-010', aside: true, fixed: { on: 'no' } });
    return u;
  },
  countdown: () => {
    const u = seat();
    u.count = { left: 754_000, of: 3_600_000, runs: true };
    return u;
  },
  'last-minute': () => {
    const u = seat();
    u.count = { left: 47_000, of: 3_600_000, runs: true };
    return u;
  },
  'time-up': () => {
    const u = seat();
    u.count = { left: 0, of: 3_600_000 };
    u.paused = { k: 'table.paused.time' };
    u.hold = { by: 'clock', over: true };
    u.view.offers = [];
    return u;
  },
  covered: () => {
    const u = seat();
    u.paused = { k: 'table.paused.host' };
    u.hold = { by: 'host' };
    u.view.offers = [];
    return u;
  },
  alarm: () => {
    const u = seat();
    u.paused = { k: 'table.paused.alarm' };
    u.hold = { by: 'button', alarm: true };
    u.view.offers = [];
    return u;
  },
  paused: () => {
    const u = seat();
    u.paused = { k: 'table.paused.store' };
    return u;
  },
};

function seen(): Own['seen'] {
  return [
    { cards: ['weapon-4'], how: 'taken', place: 'place-salon', other: 1, round: 4 },
    {
      cards: ['clue-worms-1', 'clue-peely-3', 'clue-lecomte-4', 'clue-williams-1', 'clue-georges-4'],
      how: 'there',
      place: 'place-salon',
      round: 3,
    },
    { cards: ['clue-borrow-1'], how: 'drawn', other: 2, round: 3 },
    { cards: ['clue-eddington-1'], how: 'given', other: 2, round: 3 },
    { cards: ['clue-peely-1'], how: 'urn', round: 2 },
    { cards: ['clue-borrow-4', 'clue-worms-2', 'clue-georges-2'], how: 'there', place: 'place-suite-bleue', round: 0 },
  ];
}
