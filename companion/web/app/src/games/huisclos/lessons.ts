import { HapCrime, HapWrong } from '../../gen/engine';
import { MoodDuel } from '../../lib/wire';
import type { LessonPart, Line, Open } from '../parts';

/** The prompt in its public form: without the parts of its key that depend on the viewer and the offers. */
const publicPrompt = (view: Open): string => view.prompt.k.split('.', 3).join('.');

export const part: LessonPart = {
  // What the last round brings is a house rule (HC-154).
  games: (view) => [...((view.switches['rounds-exhausted'] ?? 'survivors') === 'survivors' ? [] : ['huis-clos.hunt']), 'huis-clos'],

  now(view, seat) {
    const me = view.seats.find((s) => s.seat === seat);
    const by = view.seats.find((s) => s.seat === view.active[0]);
    const mine = by?.seat === seat;
    if (me === undefined || view.result) return [];
    if (!me.alive) return ['death'];
    const turn: Readonly<Record<string, string>> = {
      'hc.prompt.move': 'move',
      'hc.prompt.take': 'search',
      'hc.prompt.draw': 'exchange',
      'hc.prompt.settle': 'destroy',
      'hc.prompt.finish': 'destroy',
    };
    // One key asks the players who may observe; the other says to all others that a player may.
    const observes = ['hc.prompt.window', 'hc.prompt.watch'].includes(publicPrompt(view)) && by?.place === me.place;
    const step = mine ? turn[publicPrompt(view)] : observes ? 'observe' : undefined;
    const phase = { roles: 'roles', pick: 'pick', deposit: 'urn', recovery: 'recover' }[view.phase];
    return [
      ...(view.mood === MoodDuel ? ['duel'] : []),
      ...(view.clock.open && view.mood !== MoodDuel ? ['accuse'] : []),
      ...(step === undefined ? [] : [step]),
      ...(phase === undefined ? [] : [phase]),
    ];
  },

  lasting: ['accuse', 'duel', 'death'],

  after: (h) => ({ [HapCrime]: ['weapon'], [HapWrong]: ['wrong'] })[h.what] ?? [],

  state(view, seat) {
    const alive = String(view.seats.filter((s) => s.alive).length);
    const me = view.seats.find((s) => s.seat === seat);
    const { at, of, mark, open } = view.clock;
    if (at === 0) return [['state.before', { alive }]];
    const course: [string, Record<string, string>] = of > 0
      ? ['state', { at: String(at), of: String(of), alive }]
      : ['state.open', { at: String(at), alive }];
    if (me?.alive === false) return [course, ['state.dead', {}]];
    if (view.mood === MoodDuel) return [course, ['state.duel', {}]];
    if (open) return [course, ['state.accuse', { tokens: String(me?.tokens ?? 0) }]];
    return mark > 0 ? [course, ['state.later', { mark: String(mark) }]] : [course];
  },

  goal: (
    me,
  ) => [me.role === undefined || me.role === '' ? 'goal.unknown' : me.role.startsWith('role-murderer') ? 'goal.murderer' : 'goal.innocent',
    {}],

  muse(view) {
    if (view.clock.at < 1) return [];
    const most = <T extends { cards: number }>(all: readonly T[]): T | undefined =>
      all.reduce<T | undefined>((a, b) => (b.cards > (a?.cards ?? 2) ? b : a), undefined);
    const heap = most(view.places.filter((p) => p.open));
    const hand = most(view.seats.filter((s) => s.alive));
    const left = view.clock.of - view.clock.at;
    return [
      ...(heap ? [['muse.heap', { place: heap.place, n: String(heap.cards) }] as const] : []),
      ...view.places.filter((p) => p.pawns.length > 0).map(({ place, pawns }) => {
        const seats = pawns.map((s) => `seat-${s}`).join();
        return pawns.length > 1 ? ['muse.together', { place, seats }] as const : ['muse.alone', { place, seat: seats }] as const;
      }),
      ...(hand ? [['muse.hand', { seat: `seat-${hand.seat}`, n: String(hand.cards) }] as const] : []),
      ...(view.clock.at > 1 ? [['muse.urn', {}] as const] : []),
      ...(left > 0 ? [['muse.left', { n: String(left) }] as const] : []),
      ...(view.gone.length > 0 ? [['muse.gone', { n: String(view.gone.length) }] as const] : []),
    ].map(([key, args]): Line => [key, args]);
  },

  args(view, seat) {
    const me = view.seats.find((s) => s.seat === seat);
    return {
      place: me?.place ?? '',
      n: String(view.places.find((p) => p.place === me?.place)?.cards ?? 0),
      others: view.seats.filter((s) => s.alive && s.seat !== seat && s.place === me?.place).map((s) => `seat-${s.seat}`).join(),
      active: view.active.map((s) => `seat-${s}`).join(),
      destroyed: String(me?.destroyed ?? 0),
    };
  },
};
