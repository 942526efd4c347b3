import { describe, expect, it } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { plain, voiceOf } from '../dev/voice';
import type { Update } from '../lib/wire';
import { HapOver, HapRound, HapTaken } from '../gen/engine';
import { tell } from '../dev/tell';
import { listCalls, HEARD } from './herald';
import { momentOf, nextBeat, sceneOf, staged } from './scene';

const fr = voiceOf('fr', names);
const said = (a: Update | undefined, b: Update) => listCalls(a && { update: a }, { update: b }, fr).map((c) => plain(c.text));

describe('announced are', () => {
  it('nothing on the first view of a page', () => expect(said(undefined, samples['crime']!())).toEqual([]));
  it('new lines of the public story that all should hear, and whose turn it is', () => {
    const a = samples['play']!();
    const b = samples['play']!();
    Object.assign(b.view, { active: [2], prompt: { k: 'hc.prompt.move', a: { seat: 'seat-2' } } });
    tell(
      b,
      6,
      6,
      [{ what: HapRound, seat: 2 }, { k: 'hc.log.round', a: { n: '6', seat: 'seat-2' } }],
      [{ what: HapTaken, seat: 2, place: 'place-3' }, { k: 'hc.log.took', a: { seat: 'seat-2' } }],
      [undefined, { k: 'hc.log.closed', a: { place: 'place-3' } }], // a line without a happening is not announced
      [{ what: HapOver }, { k: 'hc.over.unmasked', a: { seat: 'seat-2' } }],
    );
    expect(said(a, b)).toEqual(['Tour 6. P2 tient l’urne et enquête d’abord.', 'P2 a démasqué le Meurtrier et gagne.',
      'P2 va dans un autre lieu.']);
    expect(said(b, b)).toEqual([]);
  });
  it.each([...HEARD])('%s, in whatever words the story tells it', (what) => {
    const a = samples['play']!();
    const b = tell(samples['play']!(), 6, 6, [{ what }, { k: 'display.midnight' }]);
    expect(said(a, b)).toEqual([plain(fr.t('display.midnight'))]);
  });
  it('a turn once, however many steps it has', () => {
    const a = samples['duel']!();
    const b = samples['duel']!();
    b.view.prompt = { k: 'hc.prompt.take', a: { seat: 'seat-2' } };
    expect(said(a, b)).toEqual([]);
  });
  it('"present it again", once, and never a private reason (GEN-004)', () => {
    const a = samples['play']!();
    const b = samples['deposit']!();
    b.view = a.view;
    expect(said(a, b)).toEqual(['P3, présentez encore la carte, je vous prie.']);
    expect(said(b, b)).toEqual([]);
    b.notice = { ...b.notice!, n: 5, private: true };
    expect(said(a, b)).toEqual([]);
  });
  it('nothing of what left the list long ago, after an undo', () => {
    const b = samples['crime']!();
    const a = { ...b, view: { ...b.view, log: b.view.log.slice(6) } };
    expect(said(a, b)).toEqual([]);
  });
  it.each(['fr', 'en'] as const)('each weapon with its place, then its dead with their roles (%s)', (lang) => {
    const scene = sceneOf(samples['shut']!(), samples['crime']!())!;
    const all: string[] = [];
    let before = { update: scene.before } as Parameters<typeof listCalls>[1];
    for (let t = 0; t < scene.length; t = nextBeat(scene, t)) {
      const moment = momentOf(scene, t);
      const now = { update: staged(scene, moment), playing: { scene, moment } };
      all.push(...listCalls(before, now, voiceOf(lang, names)).map((c) => plain(c.text)));
      before = now;
    }
    all.push(...listCalls(before, { update: scene.after }, voiceOf(lang, names)).map((c) => plain(c.text)));
    expect(all).toEqual(
      lang === 'fr'
        ? [
          'P1 ouvre l’urne et compte les indices : 6.',
          'Tisonnier ! Le crime a un lieu : Salon.',
          'P1 tombe. La carte disait : Innocent. P3 tombe. La carte disait : Innocent.',
          'Arme 5 ! Le crime a un lieu : Lieu 5.',
          'P5 tombe. La carte disait : Innocent.',
          'P2 récupère un indice.',
        ]
        : [
          'P1 opens the urn and counts the clues: 6.',
          'Poker! The crime has a place: Drawing room.',
          'P1 falls. The card said: Innocent. P3 falls. The card said: Innocent.',
          'Weapon 5! The crime has a place: Place 5.',
          'P5 falls. The card said: Innocent.',
          'P2 recovers a clue.',
        ],
    );
  });
});
