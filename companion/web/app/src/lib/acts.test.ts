import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Acts } from './acts.svelte';
import type { Act, Update } from './wire';

let sent: Act[];
let checks: number;
let fail: boolean;
let acts: Acts;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  checks = 0;
  fail = false;
  acts = new Acts({
    send: async (_, act) => {
      sent.push(act as Act);
      if (fail) throw new Error('not connected');
    },
    check: () => void checks++,
  });
});
afterEach(() => vi.useRealTimers());

const view = (seq: number, ...offers: string[]) => ({ seq, view: { offers: offers.map((act) => ({ act })) } }) as unknown as Update;
const kept = (): void => undefined;
const id = () => sent[sent.length - 1]?.id ?? '';
const reject = { code: 'forbidden', rule: 'HC-122', why: { k: 'gen.again' } };

describe('an act', () => {
  it('goes out once, and nothing else until it is answered', () => {
    expect(acts.do('move', { place: 'place-salon' }, 0)).toBe(true);
    expect(acts.do('move', { place: 'place-salon' }, 0)).toBe(false);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ act: 'move', args: { place: 'place-salon' } });
    expect(id().length).toBeLessThanOrEqual(40);
  });
  it('is over with its reply and the view that shows it', () => {
    acts.do('move', {}, 0);
    acts.onReply({ id: id(), ok: true });
    expect(acts.busy).toBe(true);
    acts.onUpdate(view(sent[0]?.seq ?? 0));
    expect(acts.state).toEqual({ is: 'idle' });
  });
  it('is over with the view alone, when the reply was lost', () => {
    acts.do('move', {}, 0);
    acts.onUpdate(view(sent[0]?.seq ?? 0));
    expect(acts.state).toEqual({ is: 'idle' });
  });
  it('waits through views of other people', () => {
    acts.do('move', {}, 0);
    acts.onUpdate(view(0));
    expect(acts.busy).toBe(true);
  });
  it('tells why it was refused no longer than it can be done: another way to the same end closes it', () => {
    acts.do('none', {}, 0);
    acts.onReply({ id: id(), ok: false, reject });
    acts.onUpdate(view(0, 'answer', 'none'));
    expect(acts.state.is).toBe('refused');
    acts.onUpdate(view(0, 'end')); // the card was shown at the reader
    expect(acts.state).toEqual({ is: 'idle' });
  });
  it('tells why it was refused until somebody has read it', () => {
    acts.do('deposit', {}, 0);
    acts.onReply({ id: id(), ok: false, reject });
    expect(acts.state).toEqual({ is: 'refused', act: 'deposit', reject });
    acts.onUpdate(view(0, 'deposit'));
    expect(acts.state.is).toBe('refused');
    acts.dismiss();
    expect(acts.state).toEqual({ is: 'idle' });
  });
  it('that the page makes without an offer tells why it was refused, whatever is offered', () => {
    acts.onUpdate(view(0, 'deposit'));
    acts.do('settings-set', {}, 0);
    acts.onReply({ id: id(), ok: false, reject });
    acts.onUpdate(view(0, 'deposit'));
    expect(acts.state.is).toBe('refused');
    acts.do('deposit', {}, 0);
    acts.onReply({ id: id(), ok: false, reject });
    acts.onUpdate(view(0));
    expect(acts.state.is).toBe('idle');
  });
  it('ignores a reply to another act', () => {
    acts.do('move', {}, 0);
    acts.onReply({ id: 'other', ok: false, reject });
    expect(acts.busy).toBe(true);
  });
  it('is lost when it could not be sent', async () => {
    fail = true;
    acts.do('move', {}, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(acts.state).toEqual({ is: 'lost', act: 'move' });
  });
  it('without an answer has the connection checked, and is lost if no view covers it', async () => {
    acts.do('move', {}, 0);
    await vi.advanceTimersByTimeAsync(6000);
    expect(checks).toBe(1);
    await vi.advanceTimersByTimeAsync(6000);
    expect(acts.state).toEqual({ is: 'lost', act: 'move' });
    expect(sent).toHaveLength(1);
  });
  it('is not lost after all when a view covers it, or a reply tells, after the patience', async () => {
    for (
      const [comes, is] of [
        [() => acts.onUpdate(view(sent.at(-1)?.seq ?? 0)), 'idle'],
        [() => acts.onReply({ id: id(), ok: true }), 'idle'],
        [() => acts.onReply({ id: id(), ok: false, reject }), 'refused'],
        [() => acts.onUpdate(view((sent.at(-1)?.seq ?? 0) - 1)), 'lost'],
        [() => acts.onReply({ id: 'other', ok: true }), 'lost'],
      ] as const
    ) {
      acts.do('move', {}, 0);
      await vi.advanceTimersByTimeAsync(12_000);
      expect(acts.state).toEqual({ is: 'lost', act: 'move' });
      comes();
      expect(acts.state.is).toBe(is);
    }
  });
  it('stays lost when only the note sheet that was sent after it arrives', async () => {
    acts.do('move', {}, 0);
    await vi.advanceTimersByTimeAsync(12_000);
    acts.quietly('note', { marks: '1A' }, 0, kept);
    acts.onUpdate(view(sent.at(-1)?.seq ?? 0));
    expect(acts.state).toEqual({ is: 'lost', act: 'move' });
  });
  it('has a number above all that were accepted and all that were sent', () => {
    const now = Date.now();
    acts.do('a', {}, now + 50);
    acts.onUpdate(view(now + 51));
    acts.do('b', {}, 0);
    expect(sent.map((s) => s.seq)).toEqual([now + 51, now + 52]);
  });
});

describe('a quiet act', () => {
  it('is no business of the page, waits for the others, and counts with them', () => {
    expect(acts.quietly('note', { marks: '1A' }, 0, kept)).toBe(true);
    expect(acts.state).toEqual({ is: 'idle' });
    const first = sent[0]?.seq ?? 0;
    acts.onReply({ id: id(), ok: false, reject: { code: 'not-now', rule: 'GEN-009', why: { k: 'gen.again' } } });
    expect(acts.state).toEqual({ is: 'idle' });
    acts.do('move', {}, 0);
    expect(sent[1]?.seq).toBeGreaterThan(first);
    expect(acts.quietly('note', { marks: '1B' }, 0, kept)).toBe(false);
  });
  it('tells whoever sent it whether it was taken, once', () => {
    const heard: boolean[] = [];
    for (const ok of [false, true]) {
      acts.quietly('note', { marks: '1A' }, 0, (took) => void heard.push(took));
      for (let i = 0; i < 2; i++) acts.onReply(ok ? { id: id(), ok } : { id: id(), ok, reject });
    }
    expect(heard).toEqual([false, true]);
  });
  it('of the third phone of a seat is counted with its own', () => {
    const third = new Acts({ send: async (_, act) => void sent.push(act as Act), check: () => {} }, 3);
    third.do('move', {}, 0);
    const seq = sent[0]?.seq ?? 0;
    third.onUpdate({ ...view(seq + 9), seqs: [seq + 9] });
    expect(third.busy).toBe(true);
    third.onUpdate({ ...view(0), seqs: [0, seq] });
    expect(third.busy).toBe(false);
  });
  it('is not sent again to a daemon that does not know it', () => {
    acts.quietly('note', { marks: '1A' }, 0, kept);
    acts.onReply({ id: id(), ok: false, reject: { code: 'unknown', rule: 'GEN-011', why: { k: 'gen.again' } } });
    expect(acts.quietly('note', { marks: '1B' }, 0, kept)).toBe(true);
    expect(sent).toHaveLength(1);
  });
});
