import { describe, expect, it } from 'vitest';
import { clueSamples } from '../dev/clue';
import { samples } from '../dev/fixtures';
import * as hap from '../gen/engine';
import type { Happening, Update } from '../lib/wire';
import { cueOf } from './cues';
import { momentOf, nextBeat, sceneOf, staged } from './scene';
import { CUES } from './sounds';

const on = (what: string, over: Partial<Happening> = {}): Update => {
  const u = samples['play']!();
  return { ...u, view: { ...u.view, happened: [...u.view.happened, { what, n: 900, ...over }] } };
};
const play = samples['play']!();
const cue = (a: Update | undefined, b: Update) => cueOf(a && { update: a }, { update: b });
const codes = Object.entries(hap).filter(([name]) => name.startsWith('Hap')).map(([, code]) => code as string);

describe('a sound', () => {
  it('is no news on the first view of a page, in another game, or where something was taken back', () => {
    expect(cue(undefined, on(hap.HapOver))).toBeUndefined();
    expect(cue({ ...play, epoch: 0 }, on(hap.HapOver))).toBeUndefined();
    expect(cue({ ...play, view: { ...play.view, game: 'toy' } }, on(hap.HapOver))).toBeUndefined();
    expect(cue(on(hap.HapOver), play)).toBeUndefined();
  });
  it('comes for what the table hears: the urn, a card, the hours, an answer, murder, a reveal, the end', () => {
    const heard = [hap.HapFell, hap.HapDrew, hap.HapStruck, hap.HapMidnight, hap.HapShown, hap.HapMurdered, hap.HapTurned, hap.HapWrong,
      hap.HapOver].map((w) => cue(play, on(w)));
    expect(heard).toEqual(['urn', 'card', 'chime', 'midnight', 'answer', 'murder', 'reveal', 'wrong', 'victory']);
    expect([...heard, 'envelope'].sort()).toEqual(Object.keys(CUES).sort()); // its cue comes only from a scene
  });
  // The noise depends only on the code, not on face-down cards or seats.
  it.each(codes)('%s sounds the same whichever card and seat it is about', (what) => {
    const one = cue(play, on(what, { seat: 1, other: 2, place: 'place-salon', cards: ['weapon-corde'] }));
    const other = cue(play, on(what, { seat: 3, other: 1, place: 'place-4', cards: ['clue-peely-1', 'role-murderer'] }));
    expect(one).toBe(other);
  });
  it('is the same for a card that is shown and for none', () => expect(cue(play, on(hap.HapShown))).toBe(cue(play, on(hap.HapNone))));
  it('is asked of nothing but what has happened', () => {
    const silent = { ...on(hap.HapRound), notice: { n: 9, msg: { k: 'table.refused' }, private: true } };
    expect(cue(silent, { ...silent, rev: silent.rev + 1, view: { ...silent.view, prompt: { k: 'hc.prompt.take' }, urn: 3, log: [] } }))
      .toBeUndefined();
  });
});

describe('a scene sounds as it is seen, and not again at its end', () => {
  const heard = (before: Update, after: Update) => {
    const scene = sceneOf(before, after)!;
    let last = cueOf({ update: before }, { update: staged(scene, momentOf(scene, 0)), playing: { scene, moment: momentOf(scene, 0) } });
    const out = [last];
    let then = { update: staged(scene, momentOf(scene, 0)), playing: { scene, moment: momentOf(scene, 0) } };
    for (let t = nextBeat(scene, 0);; t = nextBeat(scene, t)) {
      const moment = momentOf(scene, t);
      if (moment.over) return [...out, cueOf(then, { update: after })];
      const now = { update: staged(scene, moment), playing: { scene, moment } };
      last = cueOf(then, now);
      out.push(last);
      then = now;
    }
  };
  it('of the urn: it opens, six cards, two murders with their reveals', () => {
    const all = heard(samples['shut']!(), samples['crime']!());
    expect(all).toEqual(['urn', 'card', 'card', 'card', 'card', 'card', 'card', 'murder', 'reveal', 'murder', 'reveal', all.at(-1)]);
    expect(all.at(-1)).not.toBe('murder');
  });
  it('of midnight: it strikes before the seat falls', () => {
    const night = heard(clueSamples['c-seven']!(), clueSamples['c-midnight']!());
    expect(night.slice(0, 3)).toEqual([undefined, 'midnight', 'murder']);
  });
});
