import { colours } from '../lib/colours.svelte';

// Each seat has a colour and a sign, so that colour is never the only cue.
// The signs are drawn in a 40 x 40 box as single strokes.

/** The mark of one seat. */
export interface Sign {
  name: string;
  colour: string; // sRGB, the enamel
  d: string;
}

// Ten seats, the largest table of any supported game.
const SIGNS: readonly Sign[] = [
  {
    name: 'rose',
    colour: '#b5383d',
    d: 'M20 9A7 7 0 0 1 27 16A7 7 0 0 1 13 16A7 7 0 0 1 20 9M20 13A3.4 3.4 0 1 1 16.8 17.4M20 23V33M20 28C16 28 14 26 13 24M20 30C24 30 26 28 27 26',
  },
  { name: 'feather', colour: '#2f8a68', d: 'M12 32C13 20 20 10 30 8C30 19 24 27 14 28M12 32L26 13M17 24L24 23M19 20L27 18' },
  { name: 'moon', colour: '#3d73ba', d: 'M25 8A13 13 0 1 0 32 26A11 11 0 0 1 25 8M30 11L31 14L34 15L31 16L30 19L29 16L26 15L29 14Z' },
  {
    name: 'eye',
    colour: '#8d5cb3',
    d: 'M7 20C12 12 28 12 33 20C28 28 12 28 7 20ZM20 15.5A4.5 4.5 0 1 1 20 24.5A4.5 4.5 0 1 1 20 15.5M20 7V10M11 9L13 12M29 9L27 12',
  },
  { name: 'key', colour: '#c98a2b', d: 'M14 14A6 6 0 1 1 14 13.9M18 18L31 31M27 27L31 23M23.5 23.5L27 20' },
  { name: 'anchor', colour: '#d7cfc0', d: 'M20 11A3 3 0 1 1 20 10.9M20 13V32M14 17H26M9 23C10 29 14 32 20 32C26 32 30 29 31 23' },
  {
    name: 'hourglass',
    colour: '#a1087d',
    d: 'M12 8H28M12 32H28M14 8C14 15 18 18 18.6 20C18 22 14 25 14 32M26 8C26 15 22 18 21.4 20C22 22 26 25 26 32M16.6 29H23.4M20 22V26',
  },
  {
    name: 'bell',
    colour: '#9ca110',
    d: 'M20 7V10M12 27C14 24 13 20 14 16A6.2 6.2 0 0 1 26 16C27 20 26 24 28 27ZM10 27H30M17.4 30A3 3 0 0 0 22.6 30',
  },
  {
    name: 'leaf',
    colour: '#1f8694',
    d: 'M20 33V15M20 8C28 14 29 22 20 28C11 22 12 14 20 8M20 19L24 16M20 23L25 20M20 19L16 16M20 23L15 20',
  },
  { name: 'crown', colour: '#8a5a3c', d: 'M9 29L7 14L14 20L20 10L26 20L33 14L31 29ZM10 32H30' },
];

/** The sign of a seat, counted from 1; seats beyond the tenth start over. */
export function signOf(seat: number): Sign {
  return SIGNS[(Math.max(1, Math.trunc(seat)) - 1) % SIGNS.length]!;
}

function linearLight(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/** Relative luminance of #rrggbb (WCAG 2.2). */
export function luminance(colour: string): number {
  const n = parseInt(colour.slice(1), 16);
  return 0.2126 * linearLight(n >> 16) + 0.7152 * linearLight((n >> 8) & 255) + 0.0722 * linearLight(n & 255);
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrastRatio(a: string, b: string): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}

const LIGHT_INK = '#fff4d8';
const DARK_INK = '#2b1c0e';

/** The enamel of a seat. */
export const enamelOf = (seat: number): string => signOf(colours.of(seat)).colour;

/** The colour of a sign with enough contrast on an enamel. */
export function inkOn(colour: string): string {
  return contrastRatio(colour, LIGHT_INK) >= 3 ? LIGHT_INK : DARK_INK;
}
