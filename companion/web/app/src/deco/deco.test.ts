import { describe, expect, it } from 'vitest';
import { clueNames } from '../dev/clue';
import { names } from '../dev/fixtures';
import { emblemOf } from './emblems';
import { pointOnCircle, drawRays, toRoman, steppedRule, drawSun, setWord } from './geometry';
import { colours } from '../lib/colours.svelte';
import { contrastRatio, enamelOf, inkOn, signOf } from './signs';

describe('roman', () => {
  it.each([[0, ''], [1, 'I'], [4, 'IV'], [5, 'V'], [8, 'VIII'], [9, 'IX'], [14, 'XIV'], [16, 'XVI']])('%i is %s', (n, want) => {
    expect(toRoman(n)).toBe(want);
  });
});

describe('word', () => {
  it('draws accents and lays letters from left to right', () => {
    const w = setWord('Été');
    expect(w.letters).toHaveLength(3);
    expect(w.letters[0]?.d.startsWith(setWord('E').letters[0]?.d ?? '-')).toBe(true);
    expect(w.letters[0]?.d).not.toBe(setWord('E').letters[0]?.d);
    expect(w.width).toBe(46 + 16 + 56 + 16 + 46);
  });
  it('has no width when it is empty', () => expect(setWord('').width).toBe(0));
});

describe('sun', () => {
  // HC-030: 8 rounds for 4 players, 16 for 8; HC-090: accusations open in round n + 1.
  it.each([[4, 8], [5, 10], [6, 12], [7, 14], [8, 16]])('of %i players has %i rays, the mark half way', (n, of) => {
    const s = drawSun(n + 1, of, n + 1);
    expect(s.rays).toHaveLength(of);
    expect(s.rays.filter((r) => r.rank === 'past')).toHaveLength(n);
    expect(s.rays.filter((r) => r.rank === 'now').map((r) => r.n)).toEqual([n + 1]);
    // the first half of a full turn ends at the bottom
    expect(s.mark?.x).toBeCloseTo(0, 1);
    expect(s.mark?.y).toBeCloseTo(160, 1);
  });
  it('has no ray lit and no mark before the game', () => {
    const s = drawSun(0, 8);
    expect(s.rays.every((r) => r.rank === 'ahead')).toBe(true);
    expect(s.mark).toBeUndefined();
  });
  it('of more rounds than rays stands at the last ray (HC-211)', () => {
    expect(drawSun(30, 30).rays.filter((r) => r.rank !== 'past').map((r) => [r.n, r.rank])).toEqual([[24, 'now']]);
  });
  it('keeps a half sun above the horizon', () => {
    for (const r of drawSun(3, 16, 9, true).rays) expect(r.y).toBeLessThanOrEqual(0);
  });
  it.each([-1, 0, 400])('stands a limit of %d', (of) => {
    const n = drawSun(1, of).rays.length;
    expect(n >= 1 && n <= 24).toBe(true);
  });
});

it('a stepped rule is closed and stays inside its box', () => {
  const d = steppedRule(200, 100, 10, 5);
  expect(d.endsWith('Z')).toBe(true);
  const numbers = [...d.matchAll(/[MHV ](\d+)/g)].map((m) => Number(m[1]));
  expect(Math.min(...numbers)).toBe(10);
  expect(Math.max(...numbers)).toBe(190);
});

it('rays start at the top and go clockwise', () => {
  expect(pointOnCircle(0, 10)).toEqual({ x: 10, y: 0 });
  expect(drawRays(4, 1, 2, 2)[0]).toContain('-1.00');
});

describe('seats', () => {
  const seats = Array.from({ length: 10 }, (_, i) => i + 1);
  it('differ in sign and colour', () => {
    expect(new Set(seats.map((s) => signOf(s).name)).size).toBe(10);
    expect(new Set(seats.map((s) => signOf(s).colour)).size).toBe(10);
  });
  it.each(seats)('%i: the sign stands out on its enamel (3:1)', (s) => {
    expect(contrastRatio(enamelOf(s), inkOn(enamelOf(s)))).toBeGreaterThanOrEqual(3);
  });
  it('wear the colour of their character where it has one, and keep their sign', () => {
    colours.learn([{ seat: 2, colour: 5 }, { seat: 3 }]);
    expect([2, 3, 4].map(enamelOf)).toEqual([5, 3, 4].map((n) => signOf(n).colour));
    expect(signOf(2).name).toBe('feather');
    colours.learn([]);
  });
  it.each(seats)('%i: the enamel stands out on the night (2.2:1)', (s) => {
    expect(contrastRatio(signOf(s).colour, '#0c090b')).toBeGreaterThanOrEqual(2.2);
  });
});

it('the six weapons of the current Cluedo are told apart by their emblems', () => {
  const weapons = ['corde', 'poignard', 'cle-anglaise', 'revolver', 'chandelier', 'barre-de-fer'];
  expect(new Set(weapons.map((w) => emblemOf('weapon', `weapon-${w}`))).size).toBe(weapons.length);
});

it('every kind has an emblem and a named weapon its own', () => {
  expect(emblemOf('weapon')).not.toBe(emblemOf('clue'));
  expect(emblemOf('weapon', 'weapon-corde')).not.toBe(emblemOf('weapon'));
  expect(emblemOf('no-such-kind')).toBe(emblemOf('foreign'));
  const known = [...clueNames(), ...names].map((n) => n.kind).filter((k) => !['game', 'pool', 'role', 'switch', 'value'].includes(k));
  for (const kind of known) expect(emblemOf(kind), kind).not.toBe(emblemOf('foreign'));
});
