import { describe, expect, it } from 'vitest';
import type { ActState } from '../lib/acts.svelte';
import { ActQueue } from './actqueue.svelte';

const idle: ActState = { is: 'idle' };
const busy: ActState = { is: 'busy', id: 'a', seq: 1, act: 'sit' };
const refused: ActState = { is: 'refused', act: 'sit', reject: { code: 'forbidden', rule: 'GEN-001', why: { k: 'hc.no.name' } } };

function lined() {
  const sent: string[] = [];
  const line = new ActQueue((act, args) => sent.push(`${act} ${args['id'] ?? ''}`));
  const job = (id: string) => ({ key: id, act: 'sit', args: { id } });
  return { sent, line, job };
}

describe('a line of acts', () => {
  it('sends one at a time', () => {
    const { sent, line, job } = lined();
    line.add(job('a'), job('b'));
    expect(sent).toEqual(['sit a']);
    line.state(busy);
    expect(sent).toEqual(['sit a']);
    line.state(idle);
    expect(sent).toEqual(['sit a', 'sit b']);
    line.state(busy);
    line.state(idle);
    expect([...line.taken]).toEqual(['a', 'b']);
    expect(line.busy).toBe(false);
  });
  it('waits for an act of somebody else on this page', () => {
    const { sent, line, job } = lined();
    line.state(busy);
    line.add(job('a'));
    expect(sent).toEqual([]);
    line.state(idle);
    expect(sent).toEqual(['sit a']);
    expect(line.taken.size).toBe(0);
  });
  it('keeps a refusal at its field and goes on', () => {
    const { sent, line, job } = lined();
    line.add(job('a'), job('b'));
    line.state(busy);
    line.state(refused);
    expect(line.wrong.get('a')).toEqual({ k: 'hc.no.name' });
    expect(sent).toEqual(['sit a', 'sit b']);
    line.state(busy);
    line.state(idle);
    line.add(job('a')); // tried again: the old refusal is gone
    expect(line.wrong.size).toBe(0);
  });
  it('sends only the newest of a field that waits', () => {
    const { sent, line, job } = lined();
    line.add(job('a'), job('b'));
    line.add({ ...job('b'), args: { id: 'b2' } });
    line.state(idle);
    line.state(idle);
    expect(sent).toEqual(['sit a', 'sit b2']);
  });
  it('stops when the table does not answer', () => {
    const { sent, line, job } = lined();
    line.add(job('a'), job('b'));
    line.state({ is: 'lost', act: 'sit' });
    expect(sent).toEqual(['sit a']);
    expect(line.busy).toBe(false);
    expect(line.wrong.has('a')).toBe(true);
  });
});
