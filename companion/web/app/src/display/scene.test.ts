import { describe, expect, it } from 'vitest';
import stages from '../../../../game/testdata/stages.json';
import { clueSamples } from '../dev/clue';
import { samples } from '../dev/fixtures';
import type { Happening, Update } from '../lib/wire';
import { BREATH, EACH, FIRST, LAYING, OPENING, QUIET, TURNING, hasOtherHappenings, momentOf, nextBeat, sceneOf, staged } from './scene';

const shut = samples['shut']!();
const crime = samples['crime']!();
const scene = sceneOf(shut, crime)!;
const at = (t: number) => staged(scene, momentOf(scene, t)).view;

describe('a scene', () => {
  it('is played when the urn is opened, to the recovery or to the end', () => {
    expect(sceneOf(shut, crime)).toBeDefined();
    expect(sceneOf(shut, samples['curtain']!())?.after.view.phase).toBe('over');
  });
  it('is not played after a reload, by another start of the daemon, or where nothing was opened', () => {
    expect(sceneOf(undefined, crime)).toBeUndefined();
    expect(sceneOf({ ...shut, epoch: 0 }, crime)).toBeUndefined();
    expect(sceneOf(crime, crime)).toBeUndefined();
    expect(sceneOf(shut, shut)).toBeUndefined();
    expect(sceneOf(crime, shut)).toBeUndefined(); // taken back
  });
  it('is not played late, when its clues lie there no longer', () => {
    const on = (shown: string[]) => ({
      ...crime,
      view: { ...crime.view, phase: 'investigation', shown, happened: [...crime.view.happened, { n: 99, what: 'round', seat: 2 }] },
    });
    expect([crime.view.shown, crime.view.shown.slice(1), []].map((shown) => sceneOf(shut, on(shown)) !== undefined)).toEqual([true, false,
      false]);
  });
  it('begins with the first weapon where the clues were named one by one (GEN-024)', () => {
    const open = { ...shut, view: { ...shut.view, urn: 0, shown: crime.view.shown } };
    const named = (u: Update) => ({
      ...u,
      view: {
        ...u.view,
        happened: u.view.happened.map((h) => (h.what === 'opened' ? { n: h.n, what: 'named', cards: h.cards!.slice(-1) } : h)),
      },
    });
    const late = sceneOf(open, named(crime))!;
    expect(late.start).toBe(FIRST - BREATH);
    expect(momentOf(late, late.start)).toMatchObject({ laid: 6, struck: 0 });
    expect(sceneOf(open, named(samples['quiet']!()))).toBeUndefined();
  });
  it('names the weapons that killed, in deck order, with their dead (HC-130)', () => {
    expect(scene.blows).toEqual([{ weapon: 'weapon-tisonnier', place: 'place-salon', dead: [1, 3] }, {
      weapon: 'weapon-5',
      place: 'place-5',
      dead: [5],
    }]);
  });
});

describe('its moments', () => {
  it('lay the clues out in the order of the view, one after the other (GEN-006, HC-128)', () => {
    let before: string[] = [];
    for (let t = 0; t <= FIRST; t = nextBeat(scene, t)) {
      const { shown } = at(t);
      expect(shown).toEqual(crime.view.shown.slice(0, shown.length));
      expect(shown.length - before.length).toBeLessThanOrEqual(1);
      before = shown;
    }
    expect(before).toEqual(crime.view.shown);
    expect(at(OPENING - 1).shown).toEqual([]);
    expect(OPENING + LAYING).toBe(FIRST);
  });
  it('darken a place with its weapon, then turn the cards of its dead (HC-131)', () => {
    const lamps = (t: number) => at(t).places.filter((p) => p.lamp === 'crime').map((p) => p.place);
    const dead = (t: number) => at(t).seats.filter((s) => !s.alive).map((s) => s.seat);
    expect([lamps(FIRST - 1), dead(FIRST - 1)]).toEqual([[], []]);
    expect([lamps(FIRST), dead(FIRST)]).toEqual([['place-salon'], []]);
    expect([lamps(FIRST + TURNING), dead(FIRST + TURNING)]).toEqual([['place-salon'], [1, 3]]);
    expect([lamps(FIRST + EACH), dead(FIRST + EACH)]).toEqual([['place-salon', 'place-5'], [1, 3]]);
    expect(at(FIRST + TURNING).log.map((l) => l.msg.a?.['seat']).slice(-3)).toEqual(['seat-1', 'seat-1', 'seat-3']);
  });
  it('keep pawn and hand with a victim until its card has turned', () => {
    const salon = (t: number) => at(t).places[1]!.pawns;
    expect(salon(FIRST)).toEqual([1, 3]);
    expect(salon(FIRST + TURNING)).toEqual([]);
    expect(at(FIRST).seats[0]).toMatchObject({ alive: true, cards: 2 });
  });
  it('show no role and no result before their time (HC-157)', () => {
    const end = sceneOf(shut, samples['curtain']!())!;
    for (let t = 0; t < end.length; t = nextBeat(end, t)) {
      const v = staged(end, momentOf(end, t)).view;
      expect(v.result).toBeUndefined();
      expect(v.seats.filter((s) => s.alive && s.role !== undefined)).toEqual([]);
      expect(v.log.filter((l) => /over|debrief/.test(l.msg.k))).toEqual([]);
    }
    expect(staged(end, momentOf(end, end.length))).toBe(end.after);
  });
  it('tell that nobody dies when all clues lie there', () => {
    const quiet = sceneOf(shut, samples['quiet']!())!;
    const told = (t: number) => staged(quiet, momentOf(quiet, t)).view.log.some((l) => l.msg.k === 'hc.log.nobody-dies');
    expect([told(OPENING), told(FIRST)]).toEqual([false, true]);
    expect(quiet.length).toBe(FIRST + QUIET);
  });
  it('come at most three times a second, well below (nothing flashes)', () => {
    for (const s of [scene, sceneOf(samples['shut']!(), samples['curtain']!())!]) {
      for (let t = 0; t < s.length;) {
        const next = nextBeat(s, t);
        expect(next - t).toBeGreaterThanOrEqual(t === 0 ? 1 : 334);
        t = next;
      }
    }
  });
});

// The daemon makes the phones wait for the length of the scene.
it.each(stages)('lasts as long as the phones wait: $name', ({ happened, length, scene: plays }) => {
  const places = [1, 2, 3].map((n) => ({ ...shut.view.places[0]!, place: `place-${n}` }));
  const table = {
    ...(happened.some((h) => /midnight|proven/.test(h.what) || (h.what === 'wrong' && !('other' in h))) ? clueSamples['c-seven']!() : shut)
      .view,
    places,
  };
  const shown = ['weapon-2', 'clue-1', 'clue-2'];
  const update = (news: unknown): Update => ({
    ...shut,
    view: { ...table, shown, happened: [{ n: 7, what: 'fell' }, ...(news as Happening[])] },
  });
  const s = sceneOf(update([]), update(happened));
  expect(s !== undefined).toBe(plays);
  if (s !== undefined) expect(s.length - s.start).toBe(length);
});

it('a phone that comes is no later step of the game, an act is', () => {
  const online = { ...crime, rev: 9, table: { ...crime.table, online: [1] } };
  expect(hasOtherHappenings(crime, online)).toBe(false);
  expect(hasOtherHappenings(crime, { ...crime, view: { ...crime.view, happened: [...crime.view.happened, { n: 99, what: 'recovered' }] } }))
    .toBe(true);
  expect(hasOtherHappenings(crime, shut)).toBe(true); // taken back
});
