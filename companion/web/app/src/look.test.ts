import { describe, expect, it } from 'vitest';
import config from '../svelte.config.js?raw';
import { contrastRatio } from './deco/signs';
import tokens from './tokens.css?raw';

const colour = (name: string, sheet = tokens): string => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(sheet)?.[1] ?? '';

// axe cannot judge text on gradients, so the pairs are checked here (WCAG 2.2, 1.4.3).
describe('text stands out', () => {
  const nights = ['night-0', 'night-1', 'night-2', 'night-3', 'night-4'];
  it.each(['ivory', 'soft', 'brass-hi', 'brass'].flatMap((ink) => nights.map((n) => [ink, n] as const)))('%s on %s', (ink, night) => {
    expect(contrastRatio(colour(ink), colour(night))).toBeGreaterThanOrEqual(4.5);
  });
  it.each(['night-0', 'night-1', 'night-2'])('faint on %s', (night) => {
    expect(contrastRatio(colour('faint'), colour(night))).toBeGreaterThanOrEqual(4.5);
  });
  it.each(['#f8e5b3', '#d9ae61', '#c8954f', '#e0b768'])('the main button on %s', (gold) => {
    expect(contrastRatio('#2a1a0c', gold)).toBeGreaterThanOrEqual(4.5);
  });
  it.each(['#6d1d22', '#43100f'])('the accusation on %s', (blood) => {
    expect(contrastRatio('#ffd9d2', blood)).toBeGreaterThanOrEqual(4.5);
  });
  const papers = { light: tokens, dark: /\.dark-paper \{[^}]*\}/.exec(tokens)?.[0] ?? '' };
  const written = ['ink', 'ink-soft', 'ink-no', 'ink-yes'].flatMap((ink) =>
    ['paper-0', 'paper-1', 'paper-2'].map((p) => [ink, p] as const)
  );
  describe.each(Object.entries(papers))('on %s paper', (_, sheet) => {
    it.each(written)('%s on %s', (ink, paper) => {
      expect(contrastRatio(colour(ink, sheet), colour(paper, sheet))).toBeGreaterThanOrEqual(4.5);
    });
  });
  it('dark paper is hardly lighter than the night', () => {
    expect(contrastRatio(colour('paper-0', papers.dark), colour('night-0'))).toBeLessThan(1.5);
  });
});

it('writes no class that the build gives to a component', () => {
  const begins = /=> `(.)\$/.exec(config)![1]!;
  const sheets = Object.values(
    import.meta.glob<string>('./**/*.{css,svelte}', { query: '?raw', import: 'default', eager: true }),
  );
  const written = new Set(sheets.flatMap((text) => [...text.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name]) => name!)));
  expect(written.has('sr')).toBe(true);
  expect([...written].filter((name) => name.startsWith(begins) && /^[0-9a-z]{1,2}$/.test(name.slice(1)))).toEqual([]);
});

// People who need larger letters set them in the browser, which has no effect on sizes in pixels. Letters of a drawing
// (recognised by fill or text-anchor in their rule) are measured in its own units.
describe('letters follow the size that the browser is set to', () => {
  const sheets = Object.entries(
    import.meta.glob<string>(['./**/*.{css,svelte}', '!./dev/**'], { query: '?raw', import: 'default', eager: true }),
  );
  const drawn = /(^|[{;\s])(fill|text-anchor):/;
  const fixed = (sheet: string): string[] =>
    [...sheet.matchAll(/\{([^{}]*)\}/g)].filter(([, rule = '']) => !drawn.test(rule))
      .flatMap(([, rule = '']) => rule.match(/(?<![\w-])(?:--t-?\d|font(?:-size)?):[^;]*\d(?:px|pt)[^;]*/g) ?? []);
  it('knows a fixed one', () =>
    expect(fixed('a { font-size: max(11px, 1em); } text { font: 600 34px serif; fill: red; }')).toEqual(['font-size: max(11px, 1em)']));
  it('there are sheets', () => expect(sheets.length).toBeGreaterThan(100));
  it.each(sheets)('%s', (_, sheet) => expect(fixed(sheet)).toEqual([]));
  // 11 px at the browser's default size: smaller letters are not readable.
  const tiny = (sheet: string): string[] =>
    (sheet.match(/font-size:[^;{}]*/g) ?? []).filter((size) =>
      /\bmin\(/.test(size) || [...size.matchAll(/([\d.]+)rem/g)].some((n) => Number(n[1]) < .6875)
    );
  it('knows a small one', () =>
    expect(tiny('a { font-size: min(.6875rem, 1vw); } b { font-size: .6rem; } i { font-size: .75rem; }')).toHaveLength(2));
  it.each(sheets)('%s has none that are too small', (_, sheet) => expect(tiny(sheet)).toEqual([]));
  it('the root keeps the size of the browser', () => expect(tokens).not.toMatch(/^(:root|html)\b[^{]*\{[^}]*font(-size)?:/m));
});

// The entry pages of the phone and of the host look the same, with one size of letters.
describe('one porch', () => {
  const pages = Object.entries(import.meta.glob<string>('./{phone,host}/*.svelte', { query: '?raw', import: 'default', eager: true }));
  it('has the name of the house', () =>
    expect(pages.filter(([, text]) => text.includes('<Lettering text="Majordome"')).map(([file]) => file)).toEqual([
      './phone/Porch.svelte',
    ]));
  it.each(['./phone/Door.svelte', './host/Claim.svelte'])('%s stands in it',
    (file) => expect(pages.find(([f]) => f === file)?.[1]).toContain('<Porch'));
});

describe('no dead words', () => {
  const sources =
    Object.values(import.meta.glob<string>('./{lib,phone}/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true })).join('\n')
    + Object.values(import.meta.glob<string>('./*.svelte', { query: '?raw', import: 'default', eager: true })).join('\n');
  const others = Object.values(
    import.meta.glob<string>('./{display,host,bench,tour,games/*}/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true }),
  )
    .join('\n');
  const keys = Object.keys(
    Object.values(import.meta.glob<Record<string, string>>('../../../../engine/words/fr.json', { import: 'default', eager: true }))[0] ??
      {},
  );
  // Keys that are put together, chosen by the daemon's messages, or used by the build (build/install.ts).
  const madeUp = /^ui\.(display|claim|host|bench|act|value|door|link|tab|icon)\./;
  it.each(keys.filter((k) => k.startsWith('ui.') && !madeUp.test(k)))('%s is said somewhere', (key) => {
    expect(sources.includes(`'${key}'`) || others.includes(`'${key}'`)).toBe(true);
  });
});
