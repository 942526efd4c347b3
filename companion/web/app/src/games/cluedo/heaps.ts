// The guiding line and the counts of a Cluedo on the simulated table.
import type { Bench } from '../../gen/wire';
import { StepHide, StepLay, StepLook, StepMove, StepNeighbour, StepReveal, StepStart, type Update } from '../../lib/wire';
import type { Key } from '../../lib/words';
import { SPOT, cardsAt, handOf } from '../../bench/drop';
import type { Difference, Guide } from '../../bench/step';

/** What envelope, pool and hands hold; the Intrigue pile and the hands hold the others. */
const MYSTERY = new Set(['suspect', 'weapon', 'room']);
const EVENTS = new Set(['time-card', 'butler-card', 'clue-card']);
/** A clue card is in a hand only while it is read aloud. */
const KEPT = new Set(['time-card', 'butler-card']);
/** The steps in which a seat shows a card of its choice that answers no hypothesis. */
const CHOOSES = new Set<string>([StepNeighbour, StepReveal]);
const HOLDER = 'cl.prompt.holder'; // one card is wanted: not having it is an answer, too

/** The box has cards that are drawn from a pile. */
export const hasPile = (bench: Bench): boolean => bench.cards.some((c) => EVENTS.has(c.kind));

/** All heaps whose size is public. */
export function listHeaps({ view }: Update, bench: Bench): Difference[] {
  if (view.phase === 'dealing' || view.seats.every((s) => s.cards === 0)) return []; // nothing is dealt
  if (view.case?.virtual === true) return []; // the cards stay in their box
  const count = (spot: string, kinds: ReadonlySet<string>): number => cardsAt(bench, spot).filter((c) => kinds.has(c.kind)).length;
  const mystery = (spot: string, record: number): Difference => ({ spot, record, table: count(spot, MYSTERY) });
  const events = (spot: string, record: number, kinds: ReadonlySet<string>): Difference => ({ spot, record, table: count(spot, kinds) });
  return [
    mystery(SPOT.envelope, 3),
    ...view.places.map((p) => mystery(p.place, p.cards)),
    ...view.seats.flatMap((s) => [mystery(handOf(s.seat), s.cards), events(handOf(s.seat), s.tokens, KEPT)]),
    events(SPOT.pile, view.case?.pile ?? 0, EVENTS),
  ];
}

/** What a reader waits for; undefined when it is for the phones. */
export function readingStep({ view, table }: Update): Guide | undefined {
  if (view.case?.virtual === true) return undefined; // all of it is for the phones
  const waits = (role: string) => view.readers.find((r) => r.reader === role && table.readers[role] !== 'lost');
  const [urn, show] = [waits('urn'), waits('show')];
  if (view.phase === 'dealing' && show !== undefined) {
    const key: Key = view.case?.step === StepLay ? 'bench.case.lay' : show.seat === 0 ? 'bench.case.seal' : 'bench.case.deal';
    return { key, args: { seat: `seat-${show.seat}` }, from: [SPOT.box], to: [SPOT.show], deal: true, host: true };
  }
  const drawn = urn ?? show;
  if (drawn?.kind === 'event-card') {
    return {
      key: 'bench.case.draw',
      args: { seat: `seat-${drawn.seat}` },
      from: [SPOT.pile],
      to: [urn === undefined ? SPOT.show : SPOT.slot],
      phone: drawn.seat,
    };
  }
  if (view.phase === 'dealing' && view.case?.step === StepHide) return { key: 'bench.case.hide', from: [], to: [], host: true };
  // Without a reader people deal and say so to the host.
  if (view.phase === 'dealing') return { key: 'bench.case.dealt', from: [], to: [], host: true };
  if (show === undefined || view.phase !== 'turn') return undefined;
  const step = view.case?.step ?? '';
  if (step === StepStart || step === StepMove) return undefined; // a look that may wait: where one goes is said on the phone
  const { seat } = show;
  const asked = { args: { seat: `seat-${seat}` }, to: [SPOT.show], phone: seat };
  if (step === StepLook) {
    return {
      key: 'bench.case.look',
      ...asked,
      from: view.places.filter((p) => p.pawns.includes(seat)).map((p) => p.place),
    };
  }
  return { key: CHOOSES.has(step) && view.prompt.k !== HOLDER ? 'bench.case.show' : 'bench.case.answer', ...asked, from: [handOf(seat)] };
}
