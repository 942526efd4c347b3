// The guiding line: the next step for a newcomer, worked out from the public
// view and from the positions on the simulated table. It knows no secret: neither
// the roles nor the right card.
import type { Bench } from '../gen/wire';
import { MoodCount, type Update } from '../lib/wire';
import { benchOf } from '../games/bench';
import { SPOT, cardsAt } from './drop';
import type { Difference, Guide } from './step';

/** Whether the cable of a reader is out, which is shown in addition to the next step. */
export const hasUnplugged = (bench: Bench): boolean => bench.readers.some((r) => !r.plugged);

/** Whether update and bench belong to the same moment: each has a connection of its own, and either may be ahead. */
export const isSameMoment = (update: Update, bench: Bench): boolean =>
  bench.rev === undefined || bench.epoch === update.epoch && bench.rev === update.rev;

const MANY = 3; // heaps that differ

/**
 * The counts that differ between the record and the table. None while cards are on a reader,
 * while the helping hand is busy or before the bench knows the update, because the table is
 * between two states then; and none before the clues are placed.
 */
export function findDifferences(update: Update, bench: Bench): Difference[] {
  const { view } = update;
  if (bench.busy || !isSameMoment(update, bench) || view.phase === 'lobby' || view.result !== undefined) return [];
  if (cardsAt(bench, SPOT.slot).length + cardsAt(bench, SPOT.show).length > 0) return [];
  return benchOf(view).heaps(update, bench).filter((d) => d.record !== d.table);
}

/** The awaited seats that a person plays, while guests play the others. */
export const ownSeats = ({ view }: Pick<Update, 'view'>, { play }: Pick<Bench, 'play'>): number[] =>
  play?.on === true && view.result === undefined ? play.mine.filter((s) => view.active.includes(s)) : [];

/** The next step; only those of a person, while guests play the other seats. */
export function nextGuide(now: Update, bench: Bench): Guide {
  const mine = ownSeats(now, bench);
  const update = mine.length === 0 ? now : { ...now, view: { ...now.view, active: mine } };
  const { view } = update;
  const nothing = { from: [], to: [] };
  if (update.paused !== undefined) return { key: 'ui.bench.guide.paused', ...nothing };
  if (bench.slow) return { key: 'bench.guide.slow', ...nothing };
  if (bench.busy) return { key: 'ui.bench.guide.dealing', ...nothing };
  if (view.result !== undefined) return { key: 'ui.bench.guide.over', ...nothing, host: true };
  if (update.vote !== undefined) return voteGuide(update.vote);
  if (bench.play?.on === true && mine.length === 0) {
    return { key: bench.play.mine.length > 0 ? 'ui.bench.guide.wait' : 'ui.bench.guide.plays', ...nothing };
  }
  if (view.mood === MoodCount) return { key: 'bench.guide.count', ...nothing, host: true };
  const game = benchOf(view);
  if (view.phase === 'lobby') return { key: game.lobby(view), ...nothing, host: true };
  if (cardsAt(bench, SPOT.slot).length > 1 || cardsAt(bench, SPOT.show).length > 1) return { key: 'ui.bench.guide.several', ...nothing };
  if (cardsAt(bench, SPOT.slot).length + cardsAt(bench, SPOT.show).length > 0) return { key: 'ui.bench.guide.reading', ...nothing };
  return correctionGuide(update, bench) ?? game.reading(update) ?? phoneGuide(update);
}

/** The step in a vote: all living players are asked on their phones; it names the first who has not agreed (GEN-009). */
function voteGuide({ agreed, of }: NonNullable<Update['vote']>): Guide {
  const seat = of.find((s) => !agreed.includes(s));
  return { key: 'bench.guide.vote', from: [], to: [], ...(seat === undefined ? {} : { phone: seat }) };
}

/** The step that corrects the table where its counts differ from the record; undefined if they agree. */
function correctionGuide(update: Update, bench: Bench): Guide | undefined {
  const found = findDifferences(update, bench);
  const first = found[0];
  // Many differences are corrected at once.
  if (first !== undefined && found.length > MANY) return { key: 'bench.guide.many', from: [], to: found.map((d) => d.spot), tidy: true };
  const more = found.find((d) => d.table > d.record);
  const less = found.find((d) => d.table < d.record && d.spot !== more?.spot);
  if (more === undefined && less === undefined) return undefined;
  if (more === undefined || less === undefined) {
    const d = (more ?? less)!;
    return {
      key: 'ui.bench.guide.differs',
      args: { record: String(d.record), table: String(d.table) },
      spots: { spot: d.spot },
      from: [],
      to: [d.spot],
      tidy: true,
    };
  }
  return { key: 'ui.bench.guide.move', spots: { from: more.spot, to: less.spot }, from: [more.spot], to: [less.spot], tidy: true };
}

/** Otherwise the step is a decision on a phone. */
function phoneGuide(update: Update): Guide {
  const [seat] = update.view.active;
  if (seat === undefined) return { key: 'ui.bench.guide.wait', from: [], to: [] };
  if (!update.table.online.includes(seat)) {
    return { key: 'bench.guide.host', args: { seat: `seat-${seat}` }, from: [], to: [], phone: seat, host: true };
  }
  return { key: 'ui.bench.guide.phone', args: { seat: `seat-${seat}` }, from: [], to: [], phone: seat };
}
