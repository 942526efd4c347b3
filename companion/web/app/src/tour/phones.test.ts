import { describe, expect, it } from 'vitest';
import { FREE, JOINS, MINE, Phones } from './phones';

const LATER = MINE + 1;

/** Two tours at one table, in browsers of their own: the first to open a link has the phone. */
function tours() {
  const joined = new Map<string, number>(); // by which tour
  return [0, 1].map((tour) => new Phones((_, link) => link !== undefined && joined.get(link) === tour, 0))
    .map((phones, tour) => ({
      phones,
      at: (url: string, now: number): string => phones.at(1, url, now),
      show: (url: string, now: number): string => {
        const shown = phones.show(1, url, now);
        if (shown.includes('#j=') && !joined.has(shown)) joined.set(shown, tour);
        return shown;
      },
    }));
}

describe('the phone of a seat', () => {
  it('comes at once into a tour that has just been opened, and stays as it is', () => {
    const [one] = tours();
    expect(one!.show('/#j=A', 0)).toBe('/#j=A');
    expect(one!.show('/#seat=1', 100)).toBe('/#j=A');
    expect(one!.show('/#seat=1', LATER)).toBe('/#j=A');
    expect(one!.show('/#j=B', 100 + LATER)).toBe(''); // another browser has asked for it
  });
  it('comes into the tour that has asked, and the others say where it is', () => {
    const [one, two] = tours();
    for (const tour of [one!, two!]) tour.show('/#seat=1', 0);
    two!.phones.ask(LATER);
    for (const [now, url] of [[LATER, '/#j=A'], [LATER + 10, '/#j=A'], [LATER + 20, '/#seat=1'], [2 * LATER, '/#seat=1']] as const) {
      expect([one!.show(url, now), two!.show(url, now)]).toEqual(['', '/#j=A']);
    }
  });
  it('comes after a while into any tour, where nobody has opened it', () => {
    const [one] = tours();
    expect(one!.show('/#j=A', LATER)).toBe('');
    expect(one!.show('/#j=A', LATER + FREE + 1)).toBe('/#j=A');
  });
  it('that somebody else was quicker to open is elsewhere', () => {
    const [one, two] = tours();
    two!.show('/#j=A', 0);
    expect(one!.show('/#j=A', 1)).toBe('/#j=A');
    expect(one!.at('/#seat=1', 2)).toBe('/#j=A'); // it may be joining
    expect(one!.at('/#seat=1', 1 + JOINS)).toBe('');
    one!.phones.ask(LATER);
    expect(one!.show('/#j=B', LATER + 10)).toBe('/#j=B');
    expect(one!.show('/#seat=1', LATER + 10 + JOINS)).toBe('/#j=B');
  });
  it('that takes long to join keeps its frame, and is here once it has joined', () => {
    let joined = false;
    const phones = new Phones(() => joined, 0);
    phones.show(1, '/#j=A', 0);
    expect(phones.at(1, '/#seat=1', JOINS)).toBe('');
    expect(phones.show(1, '/#seat=1', JOINS)).toBe('/#j=A');
    joined = true;
    expect(phones.at(1, '/#seat=1', 2 * JOINS)).toBe('/#j=A');
    joined = false; // another browser has asked for it
    phones.show(1, '/#j=B', 3 * JOINS);
    expect(phones.show(1, '/#seat=1', 3 * JOINS + 1)).toBe('');
  });
  it('that this browser had before is opened by its seat', () => {
    const phones = new Phones((seat) => seat === 2, 0);
    expect([phones.show(1, '/#seat=1', 0), phones.show(2, '/#seat=2', 0)]).toEqual(['', '/#seat=2']);
  });
});
