import { describe, expect, it } from 'vitest';
import type { OfficeAnswer } from '../lib/wire';
import { Office } from './office.svelte';
import { RowQueue } from './rowqueue.svelte';

function queued() {
  const sent: string[] = [];
  let end: (answer: OfficeAnswer | Error) => void = () => undefined;
  const office = new Office(({ row, args }) => {
    sent.push(`${row} ${args?.['id'] ?? ''}`);
    return new Promise((done, fail) => (end = (a) => (a instanceof Error ? fail(a) : done(a))));
  });
  const queue = new RowQueue(() => office);
  const add = (id: string, key = id) => queue.add({ key, row: 'names-set', args: { id } });
  const answered = async (a: OfficeAnswer | Error = { value: null }): Promise<void> => {
    end(a);
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { sent, queue, add, answered };
}

describe('a queue at the office', () => {
  it('sends one at a time', async () => {
    const { sent, queue, add, answered } = queued();
    add('a');
    add('b');
    expect(sent).toEqual(['names-set a']);
    expect([queue.mark('a'), queue.mark('b')]).toEqual(['…', '…']);
    await answered();
    expect(sent).toEqual(['names-set a', 'names-set b']);
    await answered();
    expect([...queue.taken]).toEqual(['a', 'b']);
    expect([queue.busy, queue.mark('a')]).toEqual([false, '✓']);
  });
  it('keeps a refusal at its field and goes on', async () => {
    const { sent, queue, add, answered } = queued();
    add('a');
    add('b');
    await answered({ why: { k: 'hc.no.name' } });
    expect([queue.wrong.get('a'), queue.mark('a')]).toEqual([{ k: 'hc.no.name' }, '!']);
    expect(sent).toEqual(['names-set a', 'names-set b']);
    await answered();
    add('a'); // tried again: the old refusal is gone
    expect(queue.wrong.size).toBe(0);
  });
  it('sends only the newest of a field that waits', async () => {
    const { sent, add, answered } = queued();
    add('a');
    add('b');
    add('b2', 'b');
    await answered();
    await answered();
    expect(sent).toEqual(['names-set a', 'names-set b2']);
  });
  it('stops when nobody answers', async () => {
    const { sent, queue, add, answered } = queued();
    add('a');
    add('b');
    await answered(new Error('away'));
    expect(sent).toEqual(['names-set a']);
    expect([queue.busy, queue.wrong.has('a')]).toEqual([false, true]);
  });
});
