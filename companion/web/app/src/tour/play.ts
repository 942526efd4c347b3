// The sentences of the tour about the automatic evening, and the acts that control it.
import { nextGuide, ownSeats } from '../bench/guide';
import type { Guide } from '../bench/step';
import type { Bench, BenchAct, BenchDeed, BenchPlay } from '../gen/wire';
import type { Msg, Update } from '../lib/wire';
import type { Key } from '../lib/words';

/** A sentence: of the tour, of the bench's guide, or of the table. */
export type Said = { key: Key; seat?: number } | { step: Guide } | { msg: Msg };

/** Whether an evening has begun. */
export const hasBegun = (play: BenchPlay): boolean => play.game !== undefined;

/** Whether the game is stopped and can be resumed. */
export const isStopped = ({ hold }: Update): boolean => hold !== undefined && !hold.over;

/** The act that asks for the evening with one change. */
export function changePlay({ on, speed, game, seed, mine }: BenchPlay, change: Partial<BenchPlay>): BenchAct {
  return { act: 'play', play: { on, speed, ...(game === undefined ? {} : { game }), seed, mine, ...change } };
}

const SEEDS = 9999; // short enough to say to another person

/** The number of another evening. */
export function drawSeed(seed: number, random: () => number = Math.random): number {
  const drawn = 1 + Math.floor(random() * SEEDS);
  return drawn === seed ? 1 + drawn % SEEDS : drawn;
}

/** The seats of a person with seat added, or removed if it was among them. */
export const toggleSeat = (mine: readonly number[], seat: number): number[] =>
  mine.includes(seat) ? mine.filter((s) => s !== seat) : [...mine, seat].sort((a, b) => a - b);

/** Acts whose cards only one phone sees; the cards of other acts are public. */
const HIDDEN = new Set(['answer', 'deposit', 'keep', 'take', 'take-last']);

/** The sentence about an act of a guest and its purpose. */
export function actCaption({ seat, act = '', reader = '' }: BenchDeed): Said {
  if (reader === '') return seat === 0 ? { key: 'ui.tour.did.host' } : { key: 'ui.tour.did.phone', seat };
  if (seat === 0) return { key: 'ui.bench.guide.dealing' };
  return { key: HIDDEN.has(act) ? `ui.tour.did.${reader === 'urn' ? 'urn' : 'show'}` : 'ui.tour.did.reader', seat };
}

/** The sentence about the result of an act; for a card on a reader, once it has been read. */
function resultLine({ view }: Update, { seat, reader = '' }: BenchDeed): Said[] {
  const last = view.log.at(-1);
  return last !== undefined && (reader === '' || last.msg.a?.['seat'] === `seat-${seat}`) ? [{ msg: last.msg }] : [];
}

/** The sentences about the present act of a guest, or else the last line of the log. */
function currentLine(update: Update, did: BenchDeed | undefined): Said[] {
  if (did !== undefined) return [actCaption(did), ...resultLine(update, did)];
  const last = update.view.log.at(-1);
  return last === undefined ? [{ key: 'ui.tour.begins' }] : [{ msg: last.msg }];
}

/** The sentences of the tour now. taken: the visitor has sent the guests away; here: whether a seat's phone is in this browser. */
export function tourLine(update: Update, bench: Bench, taken: boolean, here: (seat: number) => boolean): Said[] {
  const { view } = update;
  const { play } = bench;
  const step: Said = { step: nextGuide(update, bench) };
  if (play === undefined) return [step];
  if (!hasBegun(play)) return [{ key: 'ui.tour.before' }];
  if (view.result !== undefined) return [{ key: play.on ? 'ui.tour.over.next' : 'ui.tour.over' }, { msg: view.result.msg }];
  if (isStopped(update)) return [{ key: 'ui.tour.paused' }];
  if (update.paused !== undefined || update.vote !== undefined) return [step];
  if (!play.on) return taken ? [{ key: 'ui.tour.taken' }, step] : [{ key: 'ui.tour.paused' }];
  const asked = ownSeats(update, bench);
  const mine = asked.find(here);
  if (mine !== undefined) return [{ key: 'ui.tour.mine', seat: mine }, step];
  if (asked[0] !== undefined) return [{ key: 'ui.tour.mine.elsewhere', seat: asked[0] }];
  const yet: Said[] = play.mine.filter(here).map((seat) => ({ key: 'ui.tour.mine.yet', seat }));
  return [...currentLine(update, play.did), ...yet];
}

/** The seats of the two phones that are shown: the chosen ones that exist, filled up with the first others. */
export function shownPair(seats: readonly number[], chosen: readonly number[]): number[] {
  const rest = seats.filter((s) => !chosen.includes(s));
  return [0, 1].map((i) => (seats.includes(chosen[i] ?? 0) ? chosen[i] : rest.shift())).filter((s) => s !== undefined);
}

/** The shown phones after the asked seats have replaced those that are not asked. */
export function replaceShown(shown: readonly number[], asked: readonly number[]): number[] {
  const missing = asked.filter((seat) => !shown.includes(seat));
  return shown.map((seat) => (asked.includes(seat) ? seat : missing.shift() ?? seat));
}

/** The chosen seats after phone i has become that of another seat; the two are swapped if both would be the same. */
export const choosePhone = (shown: readonly number[], i: number, seat: number): number[] =>
  shown.map((s, j) => (j === i ? seat : s === seat ? shown[i] ?? s : s));
