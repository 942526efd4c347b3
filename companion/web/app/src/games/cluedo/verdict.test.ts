import { cleanup, render } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { clueNames, clueSamples } from '../../dev/clue';
import { tell } from '../../dev/tell';
import { plain, voiceOf } from '../../dev/voice';
import { cueOf } from '../../display/cues';
import { listCalls } from '../../display/herald';
import { momentOf, nextBeat, sceneOf, staged } from '../../display/scene';
import type { Scene } from '../../display/moment';
import { HapAccused, HapAsked, HapOver, HapProven, HapTurn, HapWrong } from '../../gen/engine';
import type { Msg, Update } from '../../lib/wire';
import Verdict from './Verdict.svelte';
import { CARD, MISTAKE, NAME, NAMING, PROOF, RIGHT, SEAL, SOLVED } from './verdict';

const fr = voiceOf('fr', clueNames());
const NAMED = ['suspect-leblanc', 'weapon-chandelier', 'room-observatoire'];
const said: Msg = { k: 'cl.log.accused', a: { seat: 'seat-2', suspect: NAMED[0]!, weapon: NAMED[1]!, room: NAMED[2]! } };
const table = (): Update => clueSamples['c-accusing']!();
const before = table();

/** The updates around a verdict on the same accusation, right or wrong; looks: the accusation was made in an earlier step. */
function judged(right: boolean, looks = false, heard = NAMED): { before: Update; after: Update } {
  const accused = (u: Update) => tell(u, 70, 1, [{ what: HapAccused, seat: 2, ...(heard.length > 0 ? { cards: heard } : {}) }, said]);
  const after = accused(table());
  if (right) {
    after.view.shown = [...after.view.shown, ...NAMED];
    after.view.result = { rule: 'C8-190', winners: [2], solution: NAMED, msg: { k: 'cl.over.right', a: { seat: 'seat-2' } } };
    after.view.phase = 'over';
    tell(after, 71, 1, [{ what: HapProven, seat: 2, cards: NAMED }], [{ what: HapOver }, { k: 'cl.over.right', a: { seat: 'seat-2' } }]);
  } else {
    after.view.seats[1]!.out = true;
    after.view.case!.turn = 3;
    Object.assign(after.view, {
      active: [3],
      readers: [{ reader: 'show', kind: 'mystery-card', seat: 3 }],
      prompt: { k: 'cl.prompt.start', a: { seat: 'seat-3' } },
    });
    tell(after, 71, 1, [{ what: HapWrong, seat: 2 }, { k: 'cl.log.wrong', a: { seat: 'seat-2' } }], [{ what: HapTurn, seat: 3 }, {
      k: 'cl.log.turn',
      a: { seat: 'seat-3' },
    }]);
  }
  return { before: looks ? accused(table()) : before, after };
}
const play = (right: boolean, looks = false, heard = NAMED): Scene => {
  const { before: b, after } = judged(right, looks, heard);
  return sceneOf(b, after)!;
};
const frame = (scene: Scene, t: number) => ({ update: staged(scene, momentOf(scene, t)), playing: { scene, moment: momentOf(scene, t) } });
const times = (scene: Scene): number[] => {
  const all = [scene.start];
  while (all.at(-1)! < scene.length) all.push(nextBeat(scene, all.at(-1)!));
  return all;
};
afterEach(cleanup);

describe('a verdict', () => {
  it('is staged for who accused, and not after a reload, late, or where nothing is judged', () => {
    expect(play(true)).toMatchObject({ of: 'verdict', seat: 2, right: true, start: 0, length: SOLVED });
    expect(play(false)).toMatchObject({ of: 'verdict', seat: 2, right: false, start: 0, length: MISTAKE });
    const { after } = judged(false);
    expect(sceneOf(undefined, after)).toBeUndefined();
    expect(sceneOf(after, after)).toBeUndefined();
    expect(sceneOf(before, judged(false, true).before)).toBeUndefined(); // the accuser looks
    expect(sceneOf(before, tell(judged(false).after, 80, 1, [{ what: HapAsked, seat: 3 }]))).toBeUndefined();
  });
  it('begins as the envelope opens where the accuser has looked (C8-112)', () => {
    expect(play(true, true)).toMatchObject({ start: SEAL, said: NAMED });
    expect(momentOf(play(true, true), SEAL)).toMatchObject({ struck: 3, opened: true, laid: 0 });
  });
  it('says three names, opens the envelope, turns its cards and tells that they were right (C8-113)', () => {
    const scene = play(true);
    const m = (t: number) => momentOf(scene, t);
    expect([0, NAMING, NAMING + NAME, NAMING + 2 * NAME].map((t) => m(t).struck)).toEqual([0, 1, 2, 3]);
    expect([SEAL - 1, SEAL].map((t) => m(t).opened)).toEqual([false, true]);
    expect(
      [PROOF - 1, PROOF, PROOF + CARD, PROOF + 2 * CARD].map((t) => frame(scene, t).update.view.shown.length - before.view.shown.length),
    ).toEqual([
      0,
      1,
      2,
      3,
    ]);
    expect([RIGHT - 1, RIGHT].map((t) => m(t).turned)).toEqual([0, 1]);
    expect(staged(scene, m(SOLVED))).toBe(scene.after);
  });
  it('tells nothing of the envelope when it was wrong (C8-114)', () => {
    const scene = play(false);
    for (const t of times(scene)) {
      expect(momentOf(scene, t).laid).toBe(0);
      expect(frame(scene, t).update.view.shown).toEqual(before.view.shown);
    }
    expect([PROOF - 1, PROOF].map((t) => frame(scene, t).update.view.seats[1]!.out)).toEqual([undefined, true]);
  });
  it.each([false, true])('is the same right or wrong until the envelope has spoken: data, picture, words and sounds (looked: %s)',
    (looks) => {
      const [right, wrong] = [play(true, looks), play(false, looks)];
      const until = (scene: Scene) => times(scene).filter((t) => t < PROOF);
      expect(until(right)).toEqual(until(wrong));
      expect(until(right).length).toBeGreaterThan(looks ? 0 : 4);
      const drawn = (scene: Scene, t: number) => {
        const { container, unmount } = render(Verdict, { scene, moment: momentOf(scene, t), voice: fr });
        const html = container.innerHTML;
        unmount();
        return html;
      };
      const all = (scene: Scene) =>
        until(scene).map((t, i, ts) => {
          const then = i === 0 ? { update: scene.before } : frame(scene, ts[i - 1]!);
          return [staged(scene, momentOf(scene, t)), momentOf(scene, t), listCalls(then, frame(scene, t), fr),
            cueOf(then, frame(scene, t))];
        });
      expect(all(right)).toEqual(all(wrong));
      expect(drawn(right, PROOF - 1)).toBe(drawn(wrong, PROOF - 1));
      expect(drawn(right, PROOF)).not.toBe(drawn(wrong, PROOF));
    });
  it('changes its picture at most three times a second (nothing flashes)', () => {
    for (const scene of [play(true), play(false), play(true, true), play(false, true)]) {
      const all = times(scene);
      for (const [i, t] of all.slice(1).entries()) expect(t - all[i]!).toBeGreaterThanOrEqual(334);
    }
  });
  it('holds back who plays next, what is awaited and how it ends', () => {
    for (const scene of [play(true), play(false)]) {
      for (const t of times(scene).slice(0, -1)) {
        const { view } = frame(scene, t).update;
        expect(view).toMatchObject({ active: [], readers: [], prompt: { k: '' }, phase: 'turn', case: { turn: 2, step: 'verdict' } });
        expect(view.result).toBeUndefined();
        expect(view.log.some((l) => /over|turn$/.test(l.msg.k) && l.n > 70)).toBe(false);
      }
    }
  });
  const heard = (scene: Scene) => {
    let then: Parameters<typeof listCalls>[1] = { update: scene.before };
    const out: (string | undefined)[][] = [];
    for (const t of times(scene)) {
      const now = momentOf(scene, t).over ? { update: scene.after } : frame(scene, t);
      const cue = cueOf(then, now);
      out.push([...listCalls(then, now, fr).map((c) => plain(c.text)), ...(cue === undefined ? [] : [cue])]);
      then = now;
    }
    return out.filter((o) => o.length > 0);
  };
  it('is told and sounded as it is seen', () => {
    expect(heard(play(true))).toEqual([
      ['P2 accuse Madame Leblanc : Chandelier, Observatoire.', 'reveal'],
      ['answer'],
      ['answer'],
      ['answer'],
      ['L’étui s’ouvre.', 'envelope'],
      ['Qui : Madame Leblanc.', 'card'],
      ['Avec quoi : Chandelier.', 'card'],
      ['Où : Observatoire.', 'card'],
      ['P2 avait vu juste.', 'reveal'],
      ['P2 a percé le mystère et gagne.', 'victory'],
    ]);
    expect(heard(play(false)).slice(5)).toEqual([
      ['Accusation fausse. P2 ne bouge plus, mais répond encore.', 'wrong'],
      ['P3 commence son tour.'],
    ]);
  });
  it('names what nobody has heard only as its card turns (SC-092), and nothing of one on paper', () => {
    const scene = play(true, false, []);
    const text = (s: Scene, t: number) =>
      plain(render(Verdict, { scene: s, moment: momentOf(s, t), voice: fr }).container.textContent ?? '');
    expect([0, SEAL].map((t) => text(scene, t).split('…').length - 1)).toEqual([0, 3]);
    expect(text(scene, PROOF - 1)).not.toContain('Leblanc');
    expect(text(scene, PROOF)).toContain('Madame Leblanc');
    const paper = { ...scene, cards: [] };
    expect(momentOf(paper, RIGHT)).toMatchObject({ laid: 0, turned: 1 });
    expect(text(paper, RIGHT)).toContain('Tout y est.');
  });
});
