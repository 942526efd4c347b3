import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Grip, type Held } from './grip.svelte';

const card = (tag: string): Held => ({ is: 'cards', tags: [tag] });
const pawn: Held = { is: 'pawn', seat: 2 };

let did: string[];
let under: string;
let grip: Grip;

beforeEach(() => {
  vi.useFakeTimers();
  did = [];
  under = '';
  grip = new Grip({
    drop: (h, spot) => void did.push(`${h.is === 'cards' ? h.tags.join('+') : `pawn ${h.seat}`} > ${spot}`),
    flip: (tag) => void did.push(`flip ${tag}`),
  }, () => under);
});
afterEach(() => vi.useRealTimers());

const tap = (what: Held, shift = false) => {
  grip.press(1, 10, 10, what);
  grip.lift(1, shift);
};

describe('dragging', () => {
  it('brings a card to the spot under the pointer', () => {
    grip.press(1, 10, 10, card('a'));
    under = 'slot';
    grip.move(1, 40, 40);
    expect(grip.over).toBe('slot');
    grip.lift(1);
    expect(did).toEqual(['a > slot']);
    expect(grip.held).toBeUndefined();
  });
  it('brings a pawn too', () => {
    grip.press(1, 0, 0, pawn);
    under = 'place-3';
    grip.move(1, 30, 0);
    grip.lift(1);
    expect(did).toEqual(['pawn 2 > place-3']);
  });
  it('lets go of everything when the daemon is gone', () => {
    grip.press(1, 10, 10, card('a'));
    under = 'slot';
    grip.move(1, 40, 40);
    grip.release();
    grip.lift(1);
    tap(card('a'));
    grip.release();
    vi.advanceTimersByTime(1000);
    expect(grip.asking).toBeUndefined();
    grip.ask(card('a'));
    grip.release();
    expect([grip.held, grip.asking, did]).toEqual([undefined, undefined, []]);
  });
  it('does nothing beside every spot, after a cancel, and for another finger', () => {
    grip.press(1, 0, 0, card('a'));
    grip.move(1, 30, 0);
    grip.lift(1);
    under = 'slot';
    grip.press(1, 0, 0, card('a'));
    grip.move(2, 90, 0);
    grip.move(1, 30, 0);
    grip.cancel(1);
    grip.lift(1);
    expect(did).toEqual([]);
  });
  it('never shows the face on its way', () => {
    grip.press(1, 0, 0, card('a'));
    grip.move(1, 30, 0);
    vi.advanceTimersByTime(1000);
    expect(grip.peek).toBeUndefined();
  });
});

describe('holding', () => {
  it('shows the face until the finger lifts, and asks nothing then', () => {
    grip.press(1, 0, 0, card('a'));
    grip.move(1, 3, 3); // a trembling finger
    vi.advanceTimersByTime(310);
    expect(grip.peek).toBe('a');
    grip.lift(1);
    vi.advanceTimersByTime(1000);
    expect(grip.peek).toBeUndefined();
    expect(grip.asking).toBeUndefined();
  });
});

describe('tapping', () => {
  it('asks where the card goes', () => {
    tap(card('a'));
    expect(grip.asking).toBeUndefined(); // it may become a double tap
    vi.advanceTimersByTime(400);
    expect(grip.asking).toEqual(card('a'));
    grip.answer('show');
    expect(did).toEqual(['a > show']);
  });
  it('twice turns it over', () => {
    tap(card('a'));
    tap(card('a'));
    vi.advanceTimersByTime(1000);
    expect(did).toEqual(['flip a']);
    expect(grip.asking).toBeUndefined();
  });
  it('two different cards asks for the second', () => {
    tap(card('a'));
    tap(card('b'));
    vi.advanceTimersByTime(400);
    expect(grip.asking).toEqual(card('b'));
  });
  it('leaves everything as it is when the menu is closed', () => {
    grip.ask(card('a'));
    grip.answer();
    expect(did).toEqual([]);
  });
});

describe('marking', () => {
  it('moves several cards together, once', () => {
    tap(card('a'), true);
    grip.press(1, 0, 0, card('b'));
    under = 'slot';
    grip.move(1, 30, 0);
    grip.lift(1);
    expect(did).toEqual(['b+a > slot']);
    expect(grip.marked.size).toBe(0);
  });
  it('is undone by a second mark', () => {
    tap(card('a'), true);
    tap(card('a'), true);
    expect(grip.marked.size).toBe(0);
  });
  it('can be asked for from the menu', () => {
    grip.ask(card('a'));
    grip.keep();
    grip.ask(card('b'));
    expect(grip.asking).toEqual({ is: 'cards', tags: ['b', 'a'] });
  });
});
