import { describe, expect, it } from 'vitest';
import { Lines } from './lines';

describe('lines', () => {
  it('come whole, however the text is cut', () => {
    const l = new Lines();
    expect(l.push('{"a":')).toEqual([]);
    expect(l.push('1}\n\n{"b"')).toEqual(['{"a":1}']);
    expect(l.push(':2}\r\n')).toEqual(['{"b":2}']);
  });
  it('have a greatest length', () => {
    expect(() => new Lines().push('x'.repeat((256 << 10) + 1))).toThrow('too long');
  });
});
