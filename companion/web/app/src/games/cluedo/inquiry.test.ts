import { describe, expect, it } from 'vitest';
import { clueNames, clueSamples } from '../../dev/clue';
import { plain, voiceOf } from '../../dev/voice';
import type { Name, Update } from '../../lib/wire';
import { listCalls } from '../../display/herald';
import { awaitedSeats, listChambers, listFigures, shortNames, nightHours, hypothesisOf, murderedCards, pileLine, rollOf, seatLine,
  solutionCards, stageOf, turnOf } from './inquiry';
import { BACK, DAWN, FALL, HAND, LAID, TOLL } from './midnight';
import { headline, phaseName, seatCards, urnLine } from '../../display/model';
import { momentOf, nextBeat, sceneOf, staged } from '../../display/scene';

const fr = voiceOf('fr', clueNames());
const sample = (name: string): Update => clueSamples[name]!();

describe('the turn', () => {
  it('belongs to one seat, also while others are asked', () => {
    expect(turnOf(sample('c-start'))).toBe(2);
    expect(turnOf(sample('c-answer'))).toBe(2);
    expect(turnOf(sample('c-win'))).toBe(0);
    const dock = seatCards(sample('c-answer'), fr);
    expect(dock.map((s) => [s.now, s.turn])).toEqual([[true, false], [false, true], [false, false], [false, false]]);
    expect(seatLine(sample('c-answer').view.seats[0]!, sample('c-answer'), fr)).toBe('doit répondre');
    const spied = sample('c-answer'); // a spy has chosen this seat: it shows a card of its choice (SC-062)
    spied.view.case!.step = 'neighbour';
    expect(seatLine(spied.view.seats[0]!, spied, fr)).toBe('doit montrer');
  });
  it('says its step, its stage, the dice with the « ? » face and the points', () => {
    expect([phaseName(sample('c-move'), fr), stageOf(sample('c-move'))]).toEqual(['Déplacement', 2]);
    const roll = rollOf(sample('c-move'), fr)!;
    expect([roll.faces, plain(roll.label), plain(roll.points), roll.way]).toEqual([[0, 5], 'Dés : ? + 5', 'cases : 5', '']);
    expect(rollOf(sample('c-start'), fr)).toBeUndefined();
  });
  it('says the magnifier of a die by its name where clue cards are drawn (CC-030)', () => {
    const loupe: Name = { id: 'magnifier', kind: 'die-face', text: { fr: 'loupe', en: 'magnifier' } };
    const roll = rollOf(sample('c-move'), voiceOf('fr', [...clueNames(), loupe]))!;
    expect([roll.glass, plain(roll.label)]).toEqual([true, 'Dés : loupe + 5']);
    expect(rollOf(sample('c-move'), fr)!.glass).toBe(false);
  });
  it('shows nobody as the one who could interrupt (GEN-005)', () => {
    const u = sample('c-shown');
    expect(awaitedSeats(u)).toEqual([]);
    expect(seatCards(u, fr).some((s) => s.now)).toBe(false);
    const later = sample('c-shown');
    later.view.active = [4]; // two seats have waived
    expect(listCalls({ update: u }, { update: later }, fr)).toEqual([]);
    expect(JSON.stringify([seatCards(later, fr), hypothesisOf(later, fr)])).toBe(JSON.stringify([seatCards(u, fr), hypothesisOf(u, fr)]));
  });
});

describe('the hypothesis', () => {
  it('is told in words with its answers in the order of asking (C8-080)', () => {
    const said = hypothesisOf(sample('c-answer'), fr)!;
    expect([plain(said.title), said.current]).toEqual(['Hypothèse : P2', true]);
    expect(said.parts.map((p) => p.name)).toEqual(['Professeur Violet', 'Trophée', 'Spa']);
    expect(said.answers.map((a) => [a.seat, a.text])).toEqual([[3, 'rien à montrer'], [4, 'rien à montrer'], [1, 'doit répondre']]);
    expect(said.window).not.toBe('');
  });
  it('is the last one once the next turn has begun', () => {
    const u = sample('c-answer');
    Object.assign(u.view.case!, { step: 'start' });
    u.view.active = [3];
    expect(hypothesisOf(u, fr)).toMatchObject({ current: false, window: '' });
    // The same seat again, in a turn that ended without one (C8-049).
    Object.assign(u.view.case!, { step: 'end' });
    u.view.active = [2];
    expect(hypothesisOf(u, fr)?.current).toBe(true);
    u.view.happened.push({ n: 99, what: 'turn', seat: 2 });
    expect(hypothesisOf(u, fr)?.current).toBe(false);
  });
});

describe('the house', () => {
  it.each([
    ['Colonel Moutarde|Docteur Olive|Madame Pervenche|Madame Leblanc|Monsieur Prunelle|Mademoiselle Pêche|Sergent Legris',
      'Mo Ol Per Leb Pr Pêc Leg'],
    ['Colonel Mustard|Doctor Green|Mrs Peacock|Miss Peach|Professor Plum|Sergeant Gray', 'Mu Gre Peo Peh Pl Gra'],
    ['Anna Rose|Bella Rose|Rosewood', 'Ro1 Ro2 Row'],
  ])('tells the pawns of %s apart', (names, want) => {
    expect(shortNames(names.split('|')).join(' ')).toBe(want);
  });

  it('has all pawns, also those that nobody plays, and the weapons in their rooms', () => {
    expect(listFigures(sample('c-start'), fr).map((f) => [f.seat, f.letters])).toEqual([[1, 'Mo'], [2, 'Vi'], [3, 'Ol'], [4, 'Pe'], [0,
      'Ro'], [
      0,
      'Le',
    ]]);
    const spa = listChambers(sample('c-answer'), fr).find((r) => r.id === 'room-spa')!;
    expect(plain(spa.note)).toBe('passage : Chambre d’amis');
    expect([spa.figures.map((f) => f.seat), spa.tokens.map((t) => t.name)]).toEqual([[1, 2], ['Trophée']]);
  });
  it('puts a pawn on its start square, and none of a murdered seat (C8-135)', () => {
    const u = sample('c-midnight');
    u.view.case!.pawns[2] = { suspect: 'suspect-olive', square: 'start' };
    expect(listFigures(u, fr).map((f) => f.suspect)).not.toContain('suspect-violet');
    expect(listFigures(u, fr).find((f) => f.suspect === 'suspect-olive')?.square).toBe('0,9');
  });
});

describe('the hours', () => {
  it('are the Time cards; at seven the next one kills (C8-132, C8-133)', () => {
    expect(nightHours(sample('c-start'), fr)).toEqual({ title: 'Heure 3 sur 8', under: '' });
    expect(headline(sample('c-seven'), fr)).toEqual({ title: 'Heure 7 sur 8', under: 'La prochaine carte Temps tue.' });
    const u = sample('c-start');
    u.view.clock = { at: 0, of: 8, mark: 8, open: false };
    expect(nightHours(u, fr).title).toBe('La nuit commence');
  });
  it('stand beside the piles; there is no urn', () => {
    expect(plain(pileLine(sample('c-start'), fr))).toBe('Pioche : 17 · Piscine : 1');
    expect([urnLine(sample('c-start'), fr), seatCards(sample('c-start'), fr).some((s) => s.urn)]).toEqual(['', false]);
  });
});

describe('the end', () => {
  it('shows the three cards that were right, apart from the hands of the murdered (C8-113)', () => {
    expect(solutionCards(sample('c-win'), fr).map((c) => c.name)).toEqual(['Madame Leblanc', 'Chandelier', 'Observatoire']);
    expect(murderedCards(sample('c-win'), fr)).toHaveLength(5);
  });
  it('shows no solution where nobody wins (C8-192)', () => expect(solutionCards(sample('c-nobody'), fr)).toEqual([]));
});

describe('midnight', () => {
  const before = sample('c-seven');
  const after = sample('c-midnight');
  const scene = sceneOf(before, after)!;
  const at = (t: number) => staged(scene, momentOf(scene, t)).view;
  it('is staged for the murdered seat, and not after a reload', () => {
    expect(scene).toMatchObject({ seat: 2, length: DAWN });
    expect(sceneOf(undefined, after)).toBeUndefined();
    expect(sceneOf(after, after)).toBeUndefined();
    expect(sceneOf(sample('c-start'), sample('c-answer'))).toBeUndefined();
  });
  it('strikes eight, fells the seat, lays its cards open, and goes back to seven (C8-134 to C8-137)', () => {
    expect([0, TOLL, BACK, DAWN].map((t) => at(t).clock.at)).toEqual([7, 8, 7, 7]);
    expect([TOLL, FALL].map((t) => at(t).seats[1]!.alive)).toEqual([true, false]);
    expect([TOLL, FALL].map((t) => at(t).case!.pawns.some((p) => p.suspect === 'suspect-violet'))).toEqual([true, false]);
    expect([HAND - 1, HAND, HAND + LAID].map((t) => at(t).shown.length)).toEqual([0, 1, 5]);
    expect(staged(scene, momentOf(scene, DAWN))).toBe(after);
  });
  it('tells nothing before its moment', () => {
    const told = (t: number) => at(t).log.map((l) => l.msg.k).filter((k) => /eighth|murdered/.test(k));
    expect([told(0), told(TOLL), told(FALL)]).toEqual([[], ['cl.log.eighth'], ['cl.log.eighth', 'cl.log.murdered']]);
    for (let t = 0; t < DAWN; t = nextBeat(scene, t)) {
      expect(at(t)).toMatchObject({ active: [], readers: [], prompt: { k: '' } });
      expect(at(t).result).toBeUndefined();
    }
  });
  it('changes its picture at most three times a second (nothing flashes)', () => {
    for (let t = nextBeat(scene, 0); t < DAWN;) {
      const next = nextBeat(scene, t);
      expect(next - t).toBeGreaterThanOrEqual(334);
      t = next;
    }
  });
  it('is announced', () => {
    const frame = (t: number) => ({ update: staged(scene, momentOf(scene, t)), playing: { scene, moment: momentOf(scene, t) } });
    const said = (a: number, b: number) => listCalls(frame(a), frame(b), fr).map((c) => plain(c.text));
    expect(said(0, TOLL)).toEqual(['Minuit', 'P2 pioche la huitième carte Temps. Il est minuit.']);
    expect(said(TOLL, FALL)).toEqual(['P2 ne verra pas l’aube : posez ses cartes face visible.']);
    expect(said(HAND, BACK)).toEqual(['La carte qui tue retourne dans la pioche.']);
  });
});

it('announces what was said aloud and who answered how', () => {
  const a = sample('c-start');
  expect(listCalls({ update: a }, { update: sample('c-answer') }, fr).map((c) => plain(c.text))).toEqual([
    'P2 soupçonne Professeur Violet : Trophée, Spa.',
    'P3 n’a rien à montrer.',
    'P4 n’a rien à montrer.',
    'P1 répond à l’hypothèse.',
  ]);
});
