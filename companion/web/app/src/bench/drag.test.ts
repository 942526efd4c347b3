import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Drag, type Held } from './drag.svelte';

const card = (tag: string): Held => ({ is: 'cards', tags: [tag] });
const pawn: Held = { is: 'pawn', seat: 2 };

let did: string[];
let under: string;
let drag: Drag;

beforeEach(() => {
  vi.useFakeTimers();
  did = [];
  under = '';
  drag = new Drag({
    drop: (h, spot) => void did.push(`${h.is === 'cards' ? h.tags.join('+') : `pawn ${h.seat}`} > ${spot}`),
    flip: (tag) => void did.push(`flip ${tag}`),
  }, () => under);
});
afterEach(() => vi.useRealTimers());

const tap = (what: Held, shift = false) => {
  drag.press(1, 10, 10, what);
  drag.lift(1, shift);
};

describe('dragging', () => {
  it('brings a card to the spot under the pointer', () => {
    drag.press(1, 10, 10, card('a'));
    under = 'slot';
    expect(drag.down).toBe(true);
    drag.move(1, 40, 40);
    expect(drag.over).toBe('slot');
    drag.lift(1);
    expect(drag.down).toBe(false);
    expect(did).toEqual(['a > slot']);
    expect(drag.held).toBeUndefined();
  });
  it('brings a pawn too', () => {
    drag.press(1, 0, 0, pawn);
    under = 'place-3';
    drag.move(1, 30, 0);
    drag.lift(1);
    expect(did).toEqual(['pawn 2 > place-3']);
  });
  it('lets go of everything when the daemon is gone', () => {
    drag.press(1, 10, 10, card('a'));
    under = 'slot';
    drag.move(1, 40, 40);
    drag.release();
    drag.lift(1);
    tap(card('a'));
    drag.release();
    vi.advanceTimersByTime(1000);
    expect(drag.asking).toBeUndefined();
    drag.ask(card('a'));
    drag.release();
    expect([drag.held, drag.asking, did]).toEqual([undefined, undefined, []]);
  });
  it('does nothing beside every spot, after a cancel, and for another finger', () => {
    drag.press(1, 0, 0, card('a'));
    drag.move(1, 30, 0);
    drag.lift(1);
    under = 'slot';
    drag.press(1, 0, 0, card('a'));
    drag.move(2, 90, 0);
    drag.move(1, 30, 0);
    drag.cancel(1);
    drag.lift(1);
    expect(did).toEqual([]);
  });
  it('never shows the face on its way', () => {
    drag.press(1, 0, 0, card('a'));
    drag.move(1, 30, 0);
    vi.advanceTimersByTime(1000);
    expect(drag.peek).toBeUndefined();
  });
});

describe('holding', () => {
  it('shows the face until the finger lifts, and asks nothing then', () => {
    drag.press(1, 0, 0, card('a'));
    drag.move(1, 3, 3); // a trembling finger
    vi.advanceTimersByTime(310);
    expect(drag.peek).toBe('a');
    drag.lift(1);
    vi.advanceTimersByTime(1000);
    expect(drag.peek).toBeUndefined();
    expect(drag.asking).toBeUndefined();
  });
});

describe('tapping', () => {
  it('asks where the card goes', () => {
    tap(card('a'));
    expect(drag.asking).toBeUndefined(); // it may become a double tap
    vi.advanceTimersByTime(400);
    expect(drag.asking).toEqual(card('a'));
    drag.answer('show');
    expect(did).toEqual(['a > show']);
  });
  it('twice turns it over', () => {
    tap(card('a'));
    tap(card('a'));
    vi.advanceTimersByTime(1000);
    expect(did).toEqual(['flip a']);
    expect(drag.asking).toBeUndefined();
  });
  it('two different cards asks for the second', () => {
    tap(card('a'));
    tap(card('b'));
    vi.advanceTimersByTime(400);
    expect(drag.asking).toEqual(card('b'));
  });
  it('leaves everything as it is when the menu is closed', () => {
    drag.ask(card('a'));
    drag.answer();
    expect(did).toEqual([]);
  });
});

describe('marking', () => {
  it('moves several cards together, once', () => {
    tap(card('a'), true);
    drag.press(1, 0, 0, card('b'));
    under = 'slot';
    drag.move(1, 30, 0);
    drag.lift(1);
    expect(did).toEqual(['b+a > slot']);
    expect(drag.marked.size).toBe(0);
  });
  it('is undone by a second mark', () => {
    tap(card('a'), true);
    tap(card('a'), true);
    expect(drag.marked.size).toBe(0);
  });
  it('can be asked for from the menu', () => {
    drag.ask(card('a'));
    drag.keep();
    drag.ask(card('b'));
    expect(drag.asking).toEqual({ is: 'cards', tags: ['b', 'a'] });
  });
});
