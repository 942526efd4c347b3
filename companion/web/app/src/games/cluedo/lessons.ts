import { HapClue, HapDrew, HapMoved, HapMurdered, HapShown, HapStruck, HapUnrefuted, HapWrong, SawEnvelope, StepAct, StepAnswer, StepClue,
  StepDraw, StepLook, StepMove, StepSpy, StepStart } from '../../gen/engine';
import type { LessonPart, Line } from '../parts';

/** What each step of one's own turn explains. */
const STEPS: Readonly<Record<string, string>> = {
  [StepStart]: 'move',
  [StepMove]: 'move',
  [StepDraw]: 'draw',
  [StepClue]: 'clue',
  [StepLook]: 'look',
  [StepSpy]: 'spy',
  [StepAct]: 'hypothesis',
};

export const part: LessonPart = {
  games: (view) => [view.game, 'cluedo'],

  now(view, seat) {
    const me = view.seats.find((s) => s.seat === seat);
    const table = view.case;
    if (me === undefined || table === undefined || view.result || !me.alive || me.out) return [];
    const asked = view.active.includes(seat);
    const pool = me.place === 'pool' && [StepLook, StepAct].includes(table.step);
    const step = table.step === StepAnswer
      ? (asked ? 'asked' : undefined)
      : table.turn !== seat
      ? undefined
      : pool
      ? 'pool'
      : STEPS[table.step];
    const dealt = !['lobby', 'dealing'].includes(view.phase) && view.seats.some((s) => s.cards > 0);
    return [...(dealt ? ['notes'] : []), ...(step === undefined ? [] : [step])];
  },

  lasting: ['notes'],

  after(h, seat, view) {
    switch (h.what) {
      case HapShown:
        return h.other === seat ? ['seen'] : [];
      case HapDrew:
        return h.seat === seat ? ['butler'] : [];
      case HapMoved:
        return h.seat === seat && (view.case?.turn ?? 0) > 0 && view.case?.turn !== seat ? ['displaced'] : [];
      case HapMurdered:
        return h.seat === seat ? ['death'] : [];
      case HapUnrefuted:
        return ['nobody'];
      case HapStruck:
        return ['time'];
      case HapClue:
        return ['clue'];
      case HapWrong:
        return ['wrong'];
    }
    return [];
  },

  state(view, seat) {
    const me = view.seats.find((s) => s.seat === seat);
    const still = String(view.seats.filter((s) => s.alive && !s.out).length);
    if ((view.case?.turn ?? 0) === 0 && !view.result) return [['state.before', { in: still }]];
    return me?.alive === false ? [['death', {}]] : [[me?.out ? 'state.out' : 'state.in', { in: still }]];
  },

  goal(me, voice) {
    const mystery = ['suspect', 'weapon', 'room'];
    const known = new Set(
      [...me.hand.map((c) => c.card), ...me.seen.filter((s) => s.how !== SawEnvelope).flatMap((s) => s.cards)].filter((c) =>
        mystery.includes(voice.name(c)?.kind ?? '')
      ),
    );
    return ['goal', { known: String(known.size), all: String(mystery.reduce((n, kind) => n + voice.count(kind), 0)) }];
  },

  muse(view, voice) {
    const lines: Line[] = [];
    const h = view.case?.hypothesis;
    if (h !== undefined) {
      const args = { suspect: h.suspect, weapon: h.weapon, room: h.room };
      const said = (what: string): string[] => h.answers.filter((a) => a.said === what).map((a) => `seat-${a.seat}`);
      lines.push(['muse.asked', { ...args, seat: `seat-${h.by}` }]);
      if (said('none').length > 0) lines.push(['muse.none', { ...args, seats: said('none').join() }]);
      for (const seat of said('shown')) lines.push(['muse.shown', { ...args, seat }]);
    }
    // Before the first move all pawns are at their starts.
    const roams = (view.case?.turn ?? 0) > 0 && new Set(view.seats.map((s) => s.place)).size > 1;
    for (const s of view.seats) {
      // No hypothesis names a place without a card, as the pool or the hall of Super Cluedo.
      if (roams && s.alive && !s.out && s.place !== undefined && voice.name(s.place)?.kind === 'room') {
        lines.push(['muse.room', { place: s.place, seat: `seat-${s.seat}` }]);
      }
    }
    return h === undefined ? lines : [...lines, ['muse.notes', {}]];
  },

  args(view, seat) {
    const order = view.seats.filter((s) => s.alive || s.seat === seat);
    const at = order.findIndex((s) => s.seat === seat);
    const left = order[(at + 1) % order.length];
    return {
      place: order[at]?.place ?? '',
      left: left ? `seat-${left.seat}` : '',
      turn: `seat-${view.case?.turn ?? 0}`,
    };
  },
};
