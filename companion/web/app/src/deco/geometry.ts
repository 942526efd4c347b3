// The pure geometry of the ornaments: a monoline 1930s alphabet, the sun of the
// round clock, stepped brass rules. Everything here is path data and numbers;
// the components of this folder only draw.
//
// Limits: a clock has 1 to 24 rays (Huis Clos uses 8 to 16, HC-030).

type Glyph = readonly [advance: number, strokes: string];

// Cap height 100, waist at 62.
const GLYPHS: Readonly<Record<string, Glyph>> = {
  A: [68, 'M0 100L34 0L68 100M13 62H55'],
  B: [56, 'M4 0V100M4 0H25A31 31 0 0 1 25 62H4M25 62H35A19 19 0 0 1 35 100H4'],
  C: [86, 'M85.4 14.6A50 50 0 1 0 85.4 85.4'],
  D: [82, 'M4 0V100H30A50 50 0 0 0 30 0H4'],
  E: [46, 'M44 0H4V100H44M4 62H36'],
  F: [44, 'M44 0H4V100M4 62H34'],
  G: [98, 'M85.4 14.6A50 50 0 1 0 98 58H64'],
  H: [64, 'M4 0V100M60 0V100M4 62H60'],
  I: [8, 'M4 0V100'],
  J: [38, 'M34 0V72A17 28 0 0 1 2 82'],
  K: [58, 'M4 0V100M54 0L4 62M21 41L58 100'],
  L: [44, 'M4 0V100H44'],
  M: [98, 'M2 100L16 0L49 74L82 0L96 100'],
  N: [70, 'M4 100V0L66 100V0'],
  O: [100, 'M50 0A50 50 0 1 0 50 100A50 50 0 1 0 50 0'],
  P: [56, 'M4 100V0H25A31 31 0 0 1 25 62H4'],
  Q: [100, 'M50 0A50 50 0 1 0 50 100A50 50 0 1 0 50 0M60 66L98 106'],
  R: [58, 'M4 100V0H25A31 31 0 0 1 25 62H4M25 62L58 100'],
  S: [53, 'M47.5 10.7A25 25 0 1 0 27 50A25 25 0 1 1 6.5 89.3'],
  T: [56, 'M0 0H56M28 0V100'],
  U: [68, 'M4 0V66A30 34 0 0 0 64 66V0'],
  V: [66, 'M0 0L33 100L66 0'],
  W: [100, 'M0 0L26 100L50 26L74 100L100 0'],
  X: [62, 'M0 0L62 100M62 0L0 100'],
  Y: [60, 'M0 0L30 54L60 0M30 54V100'],
  Z: [58, 'M2 0H56L2 100H58'],
  "'": [8, 'M5 0L1 22'],
  '.': [6, 'M3 95V100'],
  '-': [30, 'M2 62H28'],
  ' ': [34, ''],
};

/** One drawn letter and its distance from the left. */
export interface Letter {
  x: number;
  d: string;
}

/** A drawn word: cap height 100, `width` wide. */
export interface Word {
  width: number;
  letters: Letter[];
}

// Accents of French capitals, drawn above (or below) the middle of their letter.
const ACCENTS: Readonly<Record<string, (mid: number) => string>> = {
  '\u0300': (m) => `M${m + 8} -14L${m - 12} -34`, // grave
  '\u0301': (m) => `M${m - 8} -14L${m + 12} -34`, // acute
  '\u0302': (m) => `M${m - 18} -14L${m} -32L${m + 18} -14`, // circumflex
  '\u0308': (m) => `M${m - 14} -26V-16M${m + 14} -26V-16`, // diaeresis
  '\u0327': (m) => `M${m} 104V112L${m - 12} 122`, // cedilla
};

/** Sets a text in the drawn alphabet; unknown characters are spaces. */
export function setWord(text: string, gap = 16): Word {
  const letters: Letter[] = [];
  let x = 0;
  for (const sign of text.toUpperCase().normalize('NFC')) {
    const [ch = ' ', ...marks] = sign.normalize('NFD');
    const [advance, strokes] = GLYPHS[ch] ?? GLYPHS[' ']!;
    const d = marks.reduce((path, mark) => path + (ACCENTS[mark]?.(advance / 2) ?? ''), strokes);
    if (d !== '') letters.push({ x, d });
    x += advance + gap;
  }
  return { width: Math.max(0, x - gap), letters };
}

const ROMAN: readonly (readonly [number, string])[] = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** n as a Roman numeral; the empty string below 1. */
export function toRoman(n: number): string {
  let left = Math.trunc(n);
  let text = '';
  for (const [value, sign] of ROMAN) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
}

function pointAt(angle: number, radius: number): string {
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}

/** A point at an angle (radians, clockwise from the right) on a circle round 0,0. */
export function pointOnCircle(angle: number, radius: number): { x: number; y: number } {
  return { x: +(radius * Math.cos(angle)).toFixed(2), y: +(radius * Math.sin(angle)).toFixed(2) };
}

/** One ray of the sun: a tapered wedge with a stepped tip. */
export function drawRay(a0: number, a1: number, r0: number, r1: number, step: number): string {
  const q = (a1 - a0) / 4;
  return `M${pointAt(a0, r0)}L${pointAt(a0, r1 - step)}L${pointAt(a0 + q, r1 - step)}L${pointAt(a0 + q, r1)}` +
    `A${r1} ${r1} 0 0 1 ${pointAt(a1 - q, r1)}L${pointAt(a1 - q, r1 - step)}L${pointAt(a1, r1 - step)}L${pointAt(a1, r0)}` +
    `A${r0} ${r0} 0 0 0 ${pointAt(a0, r0)}Z`;
}

/** The state of a ray: its round is past, running, or to come. */
export type Rank = 'past' | 'now' | 'ahead';

/** One round of the clock, ready to draw. */
export interface Ray {
  n: number;
  rank: Rank;
  d: string;
  fans: string[];
  numeral: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** The mark of the round from which accusations are open: a notch on the rim and the arc from there to the end. */
export interface Mark {
  x: number;
  y: number;
  turn: number; // degrees
  arc: string;
}

/** The sun of `of` rays: a full one for the table, a rising half one for the phone. */
export interface Sun {
  box: string;
  inner: number;
  rays: Ray[];
  mark?: Mark;
}

/** Draws the clock. `atRound` 0 is before the first round, a value beyond the last ray is the last; `mark` 0 or beyond the last is none. */
export function drawSun(atRound: number, of: number, mark = 0, half = false): Sun {
  const steps = Math.min(24, Math.max(1, Math.trunc(of)));
  const span = half ? Math.PI : 2 * Math.PI;
  const from = half ? Math.PI : -Math.PI / 2;
  const gap = 0.022 * Math.min(1, 8 / steps + 0.3);
  const now = Math.min(atRound, steps);
  const [inner, outer, rim] = half ? [62, 150, 158] : [68, 150, 160];
  const rays: Ray[] = [];
  for (let i = 0; i < steps; i++) {
    const a0 = from + (i / steps) * span + gap;
    const a1 = from + ((i + 1) / steps) * span - gap;
    const mid = (a0 + a1) / 2;
    const rank: Rank = i + 1 === now ? 'now' : i < now ? 'past' : 'ahead';
    const far = outer + (rank === 'now' ? 4 : 0);
    const c = Math.cos(mid);
    rays.push({
      n: i + 1,
      rank,
      d: drawRay(a0, a1, inner, far, 9),
      fans: [-0.26, 0, 0.26].map((k) => `M${pointAt(mid + k * (a1 - a0), inner + 8)}L${pointAt(mid + k * (a1 - a0), outer - 16)}`),
      numeral: toRoman(i + 1),
      ...pointOnCircle(mid, half ? 169 : 178),
      anchor: half && c < -0.3 ? 'end' : half && c > 0.3 ? 'start' : 'middle',
    });
  }
  const s: Sun = { box: half ? '-196 -186 392 204' : '-205 -205 410 410', inner, rays };
  if (mark >= 1 && mark <= steps) {
    const a = from + ((mark - 1) / steps) * span;
    const end = from + span - 0.001;
    s.mark = {
      ...pointOnCircle(a, rim),
      turn: +((a * 180) / Math.PI).toFixed(2),
      arc: `M${pointAt(a, rim)}A${rim} ${rim} 0 ${end - a > Math.PI ? 1 : 0} 1 ${pointAt(end, rim)}`,
    };
  }
  return s;
}

/** A rule round w x h, `inset` from the edge, whose corners step in twice by `step`. */
export function steppedRule(w: number, h: number, inset: number, step: number): string {
  const [l, t, r, b, s] = [inset, inset, w - inset, h - inset, step];
  return `M${l + 2 * s} ${t}H${r - 2 * s}V${t + s}H${r - s}V${t + 2 * s}H${r}V${b - 2 * s}H${r - s}V${b - s}` +
    `H${r - 2 * s}V${b}H${l + 2 * s}V${b - s}H${l + s}V${b - 2 * s}H${l}V${t + 2 * s}H${l + s}V${t + s}H${l + 2 * s}Z`;
}

/** Lines of rays between two radii round 0,0, every other one short. */
export function drawRays(count: number, r0: number, long: number, short: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const a = (i / count) * 2 * Math.PI - Math.PI / 2;
    return `M${pointAt(a, r0)}L${pointAt(a, i % 2 === 1 ? short : long)}`;
  });
}
