import { describe, expect, it } from 'vitest';
import { drawQr } from './qr';

const LINK = 'http://192.168.100.200:8080/#j=AAAAAAAAAAAAAAAAAAAAAA';

/** The modules that the path paints. */
function painted(text: string): { size: number; on: (x: number, y: number) => boolean } {
  const { size, d } = drawQr(text);
  const set = new Set<string>();
  for (const [, x, y, w] of d.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let i = 0; i < Number(w); i++) set.add(`${Number(x) + i},${y}`);
  }
  return { size, on: (x, y) => set.has(`${x},${y}`) };
}

describe('an invitation as a QR code', () => {
  const { size, on } = painted(LINK);
  it('fits version 4 and keeps four modules of quiet around it', () => {
    expect(size).toBe(33 + 8);
    for (let i = 0; i < size; i++) {
      for (const q of [0, 3, size - 4, size - 1]) {
        expect(on(i, q)).toBe(false);
        expect(on(q, i)).toBe(false);
      }
    }
  });
  it('has its three finder patterns', () => {
    for (const [x, y] of [[4, 4], [size - 11, 4], [4, size - 11]] as const) {
      const row = (dy: number) => Array.from({ length: 7 }, (_, i) => (on(x + i, y + dy) ? '#' : '.')).join('');
      expect([0, 1, 2, 3, 4, 5, 6].map(row)).toEqual(['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']);
    }
  });
  it('has its timing pattern, alternating', () => {
    for (let x = 12; x < size - 12; x++) expect(on(x, 10)).toBe(x % 2 === 0);
  });
  it('differs for different links', () => {
    expect(drawQr(LINK).d).not.toBe(drawQr(LINK.replace(/A$/, 'g')).d);
  });
});
