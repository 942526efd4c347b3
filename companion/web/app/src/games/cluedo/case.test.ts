import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseNames, caseSamples } from '../../dev/clueseats';
import { listChoices, nextStep } from '../../lib/offers';
import { language } from '../../lib/language.svelte';
import type { Offer, Update } from '../../lib/wire';
import { hasWords } from '../../lib/words';
import { dieFaces, labelKey, rollOf, squareOf, windowKey } from './case';
import { mergeAlike } from '../../phone/faces';
import { BLANK, noteColumns, cycleMark, markAt, parseSheet, setMark, shownTicks, undoMark, formatSheet } from '../../phone/notes';
import { Notes, PAUSE, SETTLE } from '../../phone/notes.svelte';

beforeEach(() => {
  language.learnNames(caseNames());
  language.lang = 'en';
});
const view = (sample: string) => (caseSamples[sample] as () => Update)().view;
const acts = (sample: string) => listChoices(view(sample).offers.filter((o) => !o.aside), labelKey);
const step = (sample: string, act: string) => {
  const c = acts(sample).find((x) => x.act === act || x.as === act)!;
  const now = nextStep(c, {});
  return 'step' in now ? now.step : undefined;
};

describe('a choice of cards', () => {
  it('lists what does not fit as off, in secret', () => {
    expect(step('c-answer', 'answer')).toMatchObject({
      options: ['suspect-rose', 'weapon-corde', 'room-spa'],
      off: ['room-spa'],
      secret: true,
    });
    expect(step('c-none', 'play')).toMatchObject({
      options: ['butler-replay-1', 'butler-see-card-1'],
      off: ['butler-replay-1', 'butler-see-card-1'],
    });
    expect(step('c-answer', 'play')?.off).toEqual(['butler-plus-six-1']);
  });
  it('names one named by what it does, each label once, whatever this seat holds', () => {
    expect(acts('c-draw').map((c) => c.as)).toEqual(['draw-time', 'draw-butler']);
    const s = step('c-draw', 'draw-butler')!;
    expect(s.plain).toEqual(['unnamed']);
    const once = mergeAlike(language, s.options, s.off, view('c-draw').me);
    expect(once.map((o) => language.label(o)).sort()).toEqual([...new Set(s.options.map((o) => language.label(o)))].sort());
    expect(once).toHaveLength(8);
    expect(once.filter((o) => s.off.includes(o))).toEqual([]);
  });
  it('is asked alone where no Time card can be named', () => {
    expect(labelKey({ act: 'draw', rule: 'CC-030', params: [] }, [])).toBe('draw-card');
    expect(labelKey({ act: 'draw', rule: 'CC-030', fixed: { card: 'unnamed' } }, [])).toBe('draw-card');
    expect(labelKey({ act: 'draw', rule: 'CC-030' }, [])).toBe(''); // by chance
  });
  it('says what a clue card has the seat choose, and that it is done where nothing is', () => {
    const clue = (param?: string): Offer => ({
      act: 'clue',
      rule: 'CC-030',
      ...(param ? { params: [{ name: param, kind: 'value', domain: ['x'] }] } : {}),
    });
    expect(['seat', 'named', 'to', undefined].map((p) => labelKey(clue(p), []))).toEqual(['clue-seat', 'clue-named', 'clue-to', '']);
  });
  it('lists each card of a hand that is known, also two of one label', () => {
    const two = { ...view('c-none').me!, hand: [{ card: 'butler-replay-1' }, { card: 'butler-replay-2' }] };
    expect(mergeAlike(language, ['butler-replay-1', 'butler-replay-2'], [], two)).toHaveLength(2);
    expect(mergeAlike(language, ['butler-replay-1', 'butler-replay-2', 'butler-stay'], ['butler-replay-1'], two)).toEqual([
      'butler-replay-2',
      'butler-stay',
    ]);
  });
});

it('what is spoken aloud is asked by name, and a Power is not used by one tap', () => {
  expect(step('c-verdict', 'verdict')?.secret).toBe(false);
  expect(acts('c-power').find((c) => c.act === 'power')?.grave).toBe(true);
});

it('dice and squares', () => {
  expect(dieFaces(['?+?', '2+5', '?+2'])).toEqual(['?', '2', '5']);
  expect(rollOf(['2+5'], '5', '2')).toBe('2+5');
  expect(rollOf(['2+5'], '5', '5')).toBeUndefined();
  expect(squareOf('12,9')).toEqual({ c: 12, r: 9 });
  expect(['room-hall', 'corridor', '1,2,3', ''].map(squareOf)).toEqual([undefined, undefined, undefined, undefined]);
});

describe('the note sheet', () => {
  const seats = [1, 2, 3, 4].map((seat) => ({ seat }));
  it('has a column for each other seat and the envelope', () => expect(noteColumns(seats, 3)).toEqual([1, 2, 4, 0]));
  it('goes through four states and back by undoing', () => {
    let s = BLANK;
    const states = [1, 2, 3, 0].map(() => markAt(s = cycleMark(s, 5, 2), 5, 2));
    expect(states).toEqual([1, 2, 3, 0]);
    expect([0, 0, 0, 0].map(() => markAt(s = undoMark(s), 5, 2))).toEqual([3, 2, 1, 0]);
    expect(undoMark(s)).toEqual(s);
  });
  it('is the same after its way to the daemon and back, with what can be undone', () => {
    let s = BLANK;
    for (let i = 0; i < 300; i++) s = cycleMark(s, (i * 7) % 40, (i * 5) % 11);
    const back = parseSheet(formatSheet(s));
    expect(back).toEqual(s);
    expect(back.past).toHaveLength(30);
  });
  it('is never longer than one argument of an act', () => {
    let s = BLANK;
    for (let row = 0; row < 40; row++) for (let col = 0; col < 11; col++) s = setMark(s, row, col, 3);
    expect(formatSheet(s).length).toBeLessThanOrEqual(400);
  });
  it('that is not understood is blank', () => {
    for (const text of ['', '2AA', '1A.', '1 ', '1A.A', '{}']) expect(parseSheet(text).marks.size).toBe(0);
    expect(formatSheet(BLANK)).toBe('');
  });
  it('ticks its own cards and those shown, and nothing else (GEN-007)', () => {
    const { me } = view('c-notes');
    const t = shownTicks(me!, ['room-hall']);
    expect(t.get('suspect-rose')).toEqual({ mine: true, open: false, with: [] });
    expect(t.get('weapon-poison')).toEqual({ mine: false, open: false, with: [1] });
    expect(t.get('room-chambre-amis')).toEqual({ mine: false, open: true, with: [] });
    expect(t.get('room-hall')).toEqual({ mine: false, open: true, with: [] });
    expect([...t.keys()].sort()).toEqual(
      [...me!.hand.map((c) => c.card), 'weapon-poison', 'room-chambre-amis', 'suspect-olive', 'room-hall'].sort(),
    );
  });
});

describe('the keeper of the sheet', () => {
  const open = () => {
    const sent: string[] = [];
    return { sent, notes: new Notes((m) => sent.push(m) > 0) };
  };
  it('sends what was marked once, when the page is left', () => {
    const { sent, notes } = open();
    notes.change(cycleMark(notes.sheet, 0, 1));
    notes.change(cycleMark(notes.sheet, 0, 1));
    expect(sent).toEqual([]);
    notes.flush();
    notes.flush();
    expect(sent).toEqual([formatSheet(notes.sheet)]);
    expect(PAUSE).toBe(2000);
  });
  it('takes over what the daemon has, and keeps upon it what the daemon has not', () => {
    let rev = 0;
    const { notes } = open();
    const other = formatSheet(cycleMark(BLANK, 3, 2));
    notes.hear(other, ++rev);
    expect(markAt(notes.sheet, 3, 2)).toBe(1);
    notes.change(cycleMark(notes.sheet, 4, 2));
    notes.hear('', ++rev);
    notes.flush();
    notes.hear(other, ++rev); // left the daemon before
    expect(markAt(notes.sheet, 4, 2)).toBe(1);
    notes.hear(formatSheet(notes.sheet), ++rev);
    notes.hear(other, ++rev); // another phone has undone it
    expect(markAt(notes.sheet, 4, 2)).toBe(0);
  });
});

describe('one sheet for the phones of a seat', () => {
  // A fake daemon: accepts a sheet only from a phone that has seen the last one, and sends each to all phones.
  function daemon() {
    const now = { marks: '', rev: 1, since: 0 };
    const phones: Notes[] = [];
    const late: (() => void)[] = [];
    const come = () => {
      const notes = new Notes((marks, rev, kept) => {
        late.push(() => {
          const ok = rev >= now.since;
          if (ok) {
            now.marks = marks;
            now.since = ++now.rev;
          }
          kept(ok);
          for (const p of phones) p.hear(now.marks, now.rev);
        });
        return true;
      });
      phones.push(notes);
      notes.hear(now.marks, now.rev);
      return notes;
    };
    return { now, come, arrive: () => late.splice(0).forEach((f) => f()) };
  }
  const mark = (notes: Notes, row: number, col: number) => notes.change(cycleMark(notes.sheet, row, col));
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('loses no mark when two write at once, and of one field the last mark counts', () => {
    const { now, come, arrive } = daemon();
    const [a, b] = [come(), come()];
    mark(a, 1, 1);
    mark(b, 2, 2);
    mark(b, 2, 2);
    a.flush();
    b.flush();
    arrive(); // the second has not seen the first: refused
    expect(markAt(parseSheet(now.marks), 2, 2)).toBe(0);
    expect([markAt(b.sheet, 1, 1), markAt(b.sheet, 2, 2)]).toEqual([1, 2]); // its own mark stays visible
    vi.advanceTimersByTime(PAUSE);
    arrive();
    for (const sheet of [a.sheet, b.sheet, parseSheet(now.marks)]) expect([markAt(sheet, 1, 1), markAt(sheet, 2, 2)]).toEqual([1, 2]);
    mark(a, 2, 2); // the same field on both
    mark(b, 1, 1);
    a.flush();
    arrive();
    b.flush();
    arrive();
    vi.advanceTimersByTime(PAUSE);
    arrive();
    expect(formatSheet(a.sheet)).toBe(formatSheet(b.sheet));
    expect([markAt(a.sheet, 1, 1), markAt(a.sheet, 2, 2)]).toEqual([2, 3]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asleep for two hundred marks, a phone comes back to the sheet as it is', () => {
    const { come, arrive } = daemon();
    const [a, b] = [come(), come()];
    const hear = b.hear.bind(b);
    b.hear = () => {};
    for (let i = 0; i < 200; i++) {
      mark(a, i % 20, i % 7);
      a.flush();
      arrive();
    }
    mark(b, 30, 1); // marked before it has heard anything
    b.hear = hear;
    b.flush();
    arrive();
    vi.advanceTimersByTime(PAUSE);
    arrive();
    expect(formatSheet(b.sheet)).toBe(formatSheet(a.sheet));
    expect(markAt(a.sheet, 30, 1)).toBe(1);
    for (let i = 0; i < 100; i++) { // a new phone, and a hundred after it, see the same
      expect(formatSheet(come().sheet)).toBe(formatSheet(a.sheet));
    }
  });

  it('is sent again when no answer comes, and not twice while one may', () => {
    const sent: string[] = [];
    const notes = new Notes((m) => sent.push(m) > 0);
    mark(notes, 1, 1);
    notes.flush();
    notes.flush();
    vi.advanceTimersByTime(SETTLE - 1);
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(sent).toHaveLength(2);
    notes.hear(sent[1]!, 9); // its answer was lost
    vi.advanceTimersByTime(SETTLE);
    expect(sent).toHaveLength(2);
  });

  it('ends with the game', () => {
    const notes = new Notes(() => true);
    mark(notes, 1, 1);
    notes.end();
    expect(formatSheet(notes.sheet)).toBe('');
    vi.advanceTimersByTime(SETTLE);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('every event card of the deck has words for its window, every suspect for its Power', () => {
  for (const n of caseNames()) {
    if (n.kind === 'butler-card') expect(hasWords(windowKey(n.of ?? '')), n.id).toBe(true);
    if (n.kind === 'suspect') expect(hasWords(`phone.power.${(n.of ?? '').replace('power-', '')}`), n.id).toBe(true);
  }
});
