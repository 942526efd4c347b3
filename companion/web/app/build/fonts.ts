import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

type Subset = (font: Buffer, text: string, options: { targetFormat: 'woff2'; keepFeatures: string[] }) => Promise<Buffer>;

/** The fonts of src/fonts.css. */
const FAMILY = '@fontsource/eb-garamond/files';
const FILES = ['400-normal', '400-italic', '500-normal'].map((style) => `eb-garamond-latin-${style}.woff2`);

const between = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));

/** ASCII, every letter of Latin-1, for players' names, and the signs of French and English print. */
const LETTERS = `${between(0x20, 0x7e)}${between(0xc0, 0xff)}ŒœŸ«»·°‐‑–—‘’‚“”„…‹›€−\u00a0\u2009\u202f\u2060`;

/** The font features that the styles and browsers use; small capitals, swashes and fractions are left out. */
const FEATURES = ['kern', 'liga', 'clig', 'calt', 'ccmp', 'locl', 'mark', 'onum', 'lnum', 'pnum', 'tnum'];

/** Reduces the fonts of the built pages to the used letters and features, which saves a third of their bytes. */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    apply: 'build',
    async config({ root = process.cwd() }) {
      const subset = createRequire(import.meta.url)('subset-font') as Subset;
      const made = join(root, 'node_modules/.fonts');
      mkdirSync(made, { recursive: true });
      for (const file of FILES) {
        const whole = readFileSync(join(root, 'node_modules', FAMILY, file));
        writeFileSync(join(made, file), await subset(whole, LETTERS, { targetFormat: 'woff2', keepFeatures: FEATURES }));
      }
      return { resolve: { alias: { [FAMILY]: made } } };
    },
  };
}
