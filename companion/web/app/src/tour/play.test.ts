import { expect, it } from 'vitest';
import { ownSeats } from '../bench/guide';
import { bench, samples } from '../dev/fixtures';
import type { BenchPlay } from '../gen/wire';
import type { Update } from '../lib/wire';
import { drawSeed, actCaption, choosePhone, tourLine, shownPair, toggleSeat, replaceShown, changePlay } from './play';

const play = (more: Partial<BenchPlay> = {}): BenchPlay => ({ on: true, speed: 2, game: 'huis-clos', seed: 7, mine: [], ...more });
const says = (u: Update, p: BenchPlay | undefined, taken = false, here = true) =>
  tourLine(u, p === undefined ? bench(u) : { ...bench(u), play: p }, taken, () => here);

it('asks for the whole evening as it is, but for one thing', () => {
  expect(changePlay(play({ did: { seat: 1, act: 'move' } }), { speed: 8 })).toEqual({ act: 'play', play: play({ speed: 8 }) });
  const { game: _, ...fresh } = play({ on: false });
  expect(changePlay(fresh, { mine: [2] }).play).toEqual({ ...fresh, mine: [2] });
});

it('another evening is never the same one', () => {
  for (const seed of [1, 5000, 9999, 0, 2 ** 32 - 1]) {
    for (const drawn of [0, .4999, .5, .99999]) {
      const next = drawSeed(seed, () => drawn);
      expect(next).not.toBe(seed);
      expect(next).toBeGreaterThanOrEqual(1);
      expect(next).toBeLessThanOrEqual(9999);
    }
  }
});

it('a seat is taken and given back', () => {
  expect(toggleSeat([], 2)).toEqual([2]);
  expect(toggleSeat([2], 1)).toEqual([1, 2]);
  expect(toggleSeat([1, 2], 1)).toEqual([2]);
});

it('says of a card only who sees it', () => {
  expect(actCaption({ seat: 2, act: 'deposit', reader: 'urn' })).toEqual({ key: 'ui.tour.did.urn', seat: 2 });
  expect(actCaption({ seat: 2, act: 'answer', reader: 'show' })).toEqual({ key: 'ui.tour.did.show', seat: 2 });
  expect(actCaption({ seat: 2, act: 'recover', reader: 'show' })).toEqual({ key: 'ui.tour.did.reader', seat: 2 }); // its card is public
  expect(actCaption({ seat: 2, act: 'draw-time', reader: 'urn' })).toEqual({ key: 'ui.tour.did.reader', seat: 2 });
  expect(actCaption({ seat: 2, act: 'move' })).toEqual({ key: 'ui.tour.did.phone', seat: 2 });
  expect(actCaption({ seat: 0, act: 'begin' })).toEqual({ key: 'ui.tour.did.host' });
  expect(actCaption({ seat: 0, act: 'deal', reader: 'show' })).toEqual({ key: 'ui.bench.guide.dealing' });
});

it('says what to do, or what happens', () => {
  const u = samples['deposit']!();
  expect(says(u, undefined)).toMatchObject([{ step: { key: 'ui.bench.guide.deposit' } }]);
  expect(says(u, { on: false, speed: 1, seed: 1, mine: [] })).toEqual([{ key: 'ui.tour.before' }]);
  expect(says({ ...u, view: { ...u.view, log: [] } }, play())).toEqual([{ key: 'ui.tour.begins' }]);
  expect(says(u, play())).toEqual([{ msg: u.view.log.at(-1)!.msg }]); // by a person
  expect(says(u, play({ did: { seat: 2, act: 'move' } }))).toEqual([{ key: 'ui.tour.did.phone', seat: 2 }, {
    msg: u.view.log.at(-1)!.msg,
  }]);
  const { msg } = u.view.log.at(-1)!; // of seat 2
  expect(says(u, play({ did: { seat: 2, act: 'keep', reader: 'show' } }))).toEqual([{ key: 'ui.tour.did.show', seat: 2 }, { msg }]);
  expect(says(u, play({ did: { seat: 1, act: 'keep', reader: 'show' } }))).toEqual([{ key: 'ui.tour.did.show', seat: 1 }]);
  expect(says(u, play({ on: false }))).toEqual([{ key: 'ui.tour.paused' }]);
  expect(says(u, play({ on: false }), true)).toMatchObject([{ key: 'ui.tour.taken' }, { step: { key: 'ui.bench.guide.deposit' } }]);
  expect(says({ ...u, paused: { k: 'table.paused' } }, play())).toMatchObject([{ step: { key: 'ui.bench.guide.paused' } }]);
  const over = samples['over']!();
  expect(says(over, play())).toEqual([{ key: 'ui.tour.over.next' }, { msg: over.view.result!.msg }]);
  expect(says(over, play({ on: false }))).toEqual([{ key: 'ui.tour.over' }, { msg: over.view.result!.msg }]);
  expect(says(samples['covered']!(), play())).toEqual([{ key: 'ui.tour.paused' }]);
});

it('tells a person of the own turn, with what to do', () => {
  const u = samples['deposit']!();
  expect(says(u, play({ mine: [1, 3], did: { seat: 1, act: 'move' } }))).toMatchObject([
    { key: 'ui.tour.mine', seat: 3 },
    { step: { key: 'ui.bench.guide.deposit', args: { seat: 'seat-3' } } },
  ]);
  expect(says(u, play({ mine: [3] }), false, false)).toEqual([{ key: 'ui.tour.mine.elsewhere', seat: 3 }]);
  const last = { msg: u.view.log.at(-1)!.msg };
  expect(says(u, play({ mine: [1] }))).toEqual([last, { key: 'ui.tour.mine.yet', seat: 1 }]);
  expect(says(u, play({ mine: [1] }), false, false)).toEqual([last]);
  expect(ownSeats(u, { play: play({ mine: [1] }) })).toEqual([]);
  expect(ownSeats(u, { play: play({ on: false, mine: [3] }) })).toEqual([]); // without guests no seat is a visitor's in particular
});

it('two phones are shown, those that were chosen first', () => {
  expect(shownPair([1, 2, 3, 4], [])).toEqual([1, 2]);
  expect(shownPair([1, 2, 3, 4], [4, 2])).toEqual([4, 2]);
  expect(shownPair([1, 2], [4, 2])).toEqual([1, 2]);
  expect(shownPair([3], [])).toEqual([3]);
  expect(shownPair([], [1, 2])).toEqual([]);
  expect(choosePhone([1, 2], 0, 4)).toEqual([4, 2]);
  expect(choosePhone([1, 2], 0, 2)).toEqual([2, 1]);
  expect(replaceShown([1, 2], [2])).toEqual([1, 2]);
  expect(replaceShown([1, 2], [4])).toEqual([4, 2]);
  expect(replaceShown([1, 2], [4, 1])).toEqual([1, 4]);
});
