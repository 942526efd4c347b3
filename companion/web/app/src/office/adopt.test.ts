import { describe, expect, it } from 'vitest';
import { namesText, readNames } from './adopt';

describe('a list of names', () => {
  const what = (text: string, of = 2): string => readNames(text, of, 12).faults.map((f) => `${f.line} ${f.what}`).join(', ');
  it('has one name a line, in both languages or one for both', () => {
    const r = readNames('1. Corde = Rope\n\n- Poignard\n', 2, 48);
    expect(r).toEqual({ names: [{ fr: 'Corde', en: 'Rope' }, { fr: 'Poignard', en: 'Poignard' }], faults: [] });
    expect(namesText(['a', 'b'], r.names)).toBe('a\tCorde\tRope\nb\tPoignard\tPoignard\n');
  });
  it('that is empty changes nothing', () => expect(readNames(' \n\n', 2, 12)).toEqual({ names: [], faults: [] }));
  it('is told line by line what is wrong', () => {
    expect(what('A')).toBe('0 few');
    expect(what('A\nB\nC')).toBe('0 many');
    expect(what('A\n\na')).toBe('3 twice');
    expect(what('A =\nB')).toBe('1 empty');
    expect(what('éééééé\nééééééé')).toBe('2 long');
  });
});
