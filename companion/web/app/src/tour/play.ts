// What the tour says of the evening that plays itself, and what it asks of it.
import { guide, yours } from '../bench/guide';
import type { Guide } from '../bench/step';
import type { Bench, BenchAct, BenchDeed, BenchPlay } from '../gen/wire';
import type { Msg, Update } from '../lib/wire';
import type { Key } from '../lib/words';

/** A sentence: of the tour's own, of the bench's guide, or what the table itself has said. */
export type Said = { key: Key; seat?: number } | { step: Guide } | { msg: Msg };

/** Whether an evening has begun. */
export const begun = (play: BenchPlay): boolean => play.game !== undefined;

/** Whether somebody has stopped the game, so that it can go on. */
export const stands = ({ hold }: Update): boolean => hold !== undefined && !hold.over;

/** The act that asks for the whole evening as it is, but for a change. */
export function want({ on, speed, game, seed, mine }: BenchPlay, change: Partial<BenchPlay>): BenchAct {
  return { act: 'play', play: { on, speed, ...(game === undefined ? {} : { game }), seed, mine, ...change } };
}

const SEEDS = 9999; // short enough to be told to somebody

/** The number of another evening. */
export function another(seed: number, random: () => number = Math.random): number {
  const drawn = 1 + Math.floor(random() * SEEDS);
  return drawn === seed ? 1 + drawn % SEEDS : drawn;
}

/** The seats of a person with one more, or one less. */
export const toggled = (mine: readonly number[], seat: number): number[] =>
  mine.includes(seat) ? mine.filter((s) => s !== seat) : [...mine, seat].sort((a, b) => a - b);

/** Cards that one phone alone gets to see; other cards are laid for everybody. */
const HIDDEN = new Set(['answer', 'deposit', 'keep', 'take']);

/** How a guest acts, and what is the point of it. */
export function caption({ seat, act = '', reader = '' }: BenchDeed): Said {
  if (reader === '') return seat === 0 ? { key: 'ui.tour.did.host' } : { key: 'ui.tour.did.phone', seat };
  if (seat === 0) return { key: 'ui.bench.guide.dealing' };
  return { key: HIDDEN.has(act) ? `ui.tour.did.${reader === 'urn' ? 'urn' : 'show'}` : 'ui.tour.did.reader', seat };
}

/** What has come of it: of a card on a reader, once it has been read. */
function came({ view }: Update, { seat, reader = '' }: BenchDeed): Said[] {
  const last = view.log.at(-1);
  return last !== undefined && (reader === '' || last.msg.a?.['seat'] === `seat-${seat}`) ? [{ msg: last.msg }] : [];
}

/** What happens: what a guest does, or else what has happened last. */
function happens(update: Update, did: BenchDeed | undefined): Said[] {
  if (did !== undefined) return [caption(did), ...came(update, did)];
  const last = update.view.log.at(-1);
  return last === undefined ? [{ key: 'ui.tour.begins' }] : [{ msg: last.msg }];
}

/** What the tour says now. taken: the visitor has sent the guests away; here: the phone of a seat is in this browser. */
export function now(update: Update, bench: Bench, taken: boolean, here: (seat: number) => boolean): Said[] {
  const { view } = update;
  const { play } = bench;
  const step: Said = { step: guide(update, bench) };
  if (play === undefined) return [step];
  if (!begun(play)) return [{ key: 'ui.tour.before' }];
  if (view.result !== undefined) return [{ key: play.on ? 'ui.tour.over.next' : 'ui.tour.over' }, { msg: view.result.msg }];
  if (stands(update)) return [{ key: 'ui.tour.paused' }];
  if (update.paused !== undefined || update.vote !== undefined) return [step];
  if (!play.on) return taken ? [{ key: 'ui.tour.taken' }, step] : [{ key: 'ui.tour.paused' }];
  const asked = yours(update, bench);
  const mine = asked.find(here);
  if (mine !== undefined) return [{ key: 'ui.tour.mine', seat: mine }, step];
  if (asked[0] !== undefined) return [{ key: 'ui.tour.mine.elsewhere', seat: asked[0] }];
  const yet: Said[] = play.mine.filter(here).map((seat) => ({ key: 'ui.tour.mine.yet', seat }));
  return [...happens(update, play.did), ...yet];
}

/** The two phones that are shown: those chosen, as far as they are seats, and the first ones else. */
export function pair(seats: readonly number[], chosen: readonly number[]): number[] {
  const rest = seats.filter((s) => !chosen.includes(s));
  return [0, 1].map((i) => (seats.includes(chosen[i] ?? 0) ? chosen[i] : rest.shift())).filter((s) => s !== undefined);
}

/** The two phones, once those that are asked for are among them: the others make way. */
export function turned(shown: readonly number[], asked: readonly number[]): number[] {
  const missing = asked.filter((seat) => !shown.includes(seat));
  return shown.map((seat) => (asked.includes(seat) ? seat : missing.shift() ?? seat));
}

/** What is chosen when one of two phones becomes that of another seat: the two change places where both would be the same. */
export const chose = (shown: readonly number[], i: number, seat: number): number[] => shown.map((s, j) => (j === i ? seat : s === seat ? shown[i] ?? s : s));
