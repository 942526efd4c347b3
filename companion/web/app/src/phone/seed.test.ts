import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { caseNames, caseSamples } from '../dev/clueseats';
import { text } from '../dev/seatpage';
import { fromBase64url, toHex } from '../lib/bytes';
import { language } from '../lib/language.svelte';
import type { Seed, Update } from '../lib/wire';
import { hash } from './deal';
import Deal from './Deal.svelte';
import { addToSeed } from './seed';

const NAME = 'seat-3';
const hashOf = (part: string): string => toHex(hash(4, fromBase64url(part)));

/** What the table shows in the lobby, or with another phase in a game. */
function shown(seed: Seed | undefined, phase = 'lobby', game = 7): Update {
  const u = (caseSamples['c-over'] as () => Update)();
  u.view.phase = phase;
  u.proof = { game, ...seed && { seed } };
  return u;
}

/** Plays the exchange as far as this phone has opened its part. */
function opened(): { kept: string; part: string; seed: Seed } {
  const first = addToSeed(shown({ table: 'T' }), NAME, '');
  const own = first.send![1].hash;
  const seed = { table: 'T', phones: [`seat-1:-${hashOf('AAAA')}`, `${NAME}:-${own}`], open: true };
  const { kept, send } = addToSeed(shown(seed), NAME, first.kept);
  return { kept, part: send![1].part!, seed };
}
const begun = (part: string, other = 'seat-1:AAAA'): Seed => ({ table: 'T', phones: [other, `${NAME}:${part}`] });

describe('a phone adds to the seed', () => {
  // The same as in companion/proof/joint_test.go, TestJointIsReadBack.
  it('hashes the same as the daemon', () => {
    expect(hashOf('AwAAAAAAAAAAAAAAAAAAAA')).toBe('007def094cd435372612972412d46409677233798bb17f3419b147b9fbdd7f6a');
  });
  it('commits to a part, and opens that when all are bound', () => {
    const first = addToSeed(shown({ table: 'T' }), NAME, '');
    expect(first.send![0]).toBe('seed-hash');
    expect(first.wrong).toBe(false);
    const bound = { table: 'T', phones: [`${NAME}:-${first.send![1].hash}`] };
    expect(addToSeed(shown(bound), NAME, first.kept).send).toBe(undefined);
    const { send } = addToSeed(shown({ ...bound, open: true }), NAME, first.kept);
    expect(send![0]).toBe('seed-part');
    expect(hashOf(send![1].part!)).toBe(first.send![1].hash);
    expect(fromBase64url(send![1].part!).length).toBe(16);
  });
  it('commits again when it has another seat, and to another part when the table has another secret', () => {
    const first = addToSeed(shown({ table: 'T' }), NAME, '');
    const bound = { table: 'T', phones: [`${NAME}:-${first.send![1].hash}`] };
    expect(addToSeed(shown(bound), 'seat-4', first.kept).send).toEqual(first.send);
    const next = addToSeed(shown({ table: 'U' }), NAME, first.kept);
    expect(next.send![1].hash).not.toBe(first.send![1].hash);
    expect(next.wrong).toBe(false);
  });
  it('does not open its part if it is not bound, or for another list than before', () => {
    const first = addToSeed(shown({ table: 'T' }), NAME, '');
    expect(addToSeed(shown({ table: 'T', open: true }), NAME, first.kept).send).toBe(undefined);
    const { kept, seed } = opened();
    expect(addToSeed(shown(seed), NAME, kept).send).not.toBe(undefined); // the act may have been lost
    expect(addToSeed(shown({ ...seed, phones: [...seed.phones!, 'seat-5:-00'] }), NAME, kept).send).toBe(undefined);
  });
  it('accepts the seed with what was bound, also without the part of another', () => {
    const { kept, part, seed } = opened();
    expect(addToSeed(shown(begun(part), 'turn'), NAME, kept).wrong).toBe(false);
    expect(addToSeed(shown(begun(part, seed.phones![0]), 'turn'), NAME, kept).wrong).toBe(false);
  });
  it('accepts parts that begin with the sign of a hash', () => {
    const first = addToSeed(shown({ table: 'T' }), NAME, '');
    for (const other of ['-AAAAAAAAAAAAAAAAAAAAA', '--__-AAAAAAAAAAAAAAAAA']) {
      const phones = [`seat-1:-${hashOf(other)}`, `${NAME}:-${first.send![1].hash}`];
      const { kept, send } = addToSeed(shown({ table: 'T', phones, open: true }), NAME, first.kept);
      expect(addToSeed(shown(begun(send![1].part!, `seat-1:${other}`), 'turn'), NAME, kept).wrong).toBe(false);
    }
  });
  it('finds each change of what was bound', () => {
    const { kept, part, seed } = opened();
    const changes: Record<string, Seed | undefined> = {
      'another secret': { ...begun(part), table: 'U' },
      'another part of another': begun(part, 'seat-1:BBBB'),
      'a phone too many': { ...begun(part), phones: [...begun(part).phones!, 'seat-4:AAAA'] },
      'a phone too few': { ...begun(part), phones: begun(part).phones!.slice(1) },
      'its part left out': { table: 'T', phones: seed.phones! },
      'no seed': undefined,
    };
    for (const [what, now] of Object.entries(changes)) expect(addToSeed(shown(now, 'turn'), NAME, kept).wrong, what).toBe(true);
  });
  it('says so as long as the game lasts if the table repeats the exchange until it likes the seed', () => {
    const { kept } = opened();
    const again = addToSeed(shown({ table: 'U' }), NAME, kept);
    expect(again.wrong).toBe(true);
    const own = again.send![1].hash;
    const second = addToSeed(shown({ table: 'U', phones: [`${NAME}:-${own}`], open: true }), NAME, again.kept);
    const now = { table: 'U', phones: [`${NAME}:${second.send![1].part}`] };
    expect(addToSeed(shown(now, 'turn'), NAME, second.kept).wrong).toBe(true);
    expect(addToSeed(shown(now, 'turn', 8), NAME, second.kept).wrong).toBe(false); // another game
    expect(addToSeed(shown({ table: 'V' }, 'lobby', 8), NAME, second.kept).wrong).toBe(false);
  });
  it('says nothing when the beginning is undone', () => {
    const { kept, part } = opened();
    const right = addToSeed(shown(begun(part), 'turn'), NAME, kept);
    const undone = addToSeed(shown({ table: 'U' }), NAME, right.kept);
    expect(undone.wrong).toBe(false);
    expect(undone.send![0]).toBe('seed-hash');
  });
  it('says nothing of a game that it has not seen begin', () => {
    const first = addToSeed(shown({ table: 'T' }), NAME, '');
    expect(addToSeed(shown(undefined, 'turn'), NAME, first.kept).wrong).toBe(false);
    expect(addToSeed(shown({ table: 'U' }, 'turn'), NAME, '').wrong).toBe(false);
    const { kept } = opened();
    expect(addToSeed(shown({ table: 'U' }, 'turn', 8), NAME, kept).wrong).toBe(false);
  });
});

describe('the page of a seat', () => {
  let sent: [string, Record<string, string>][] = [];
  beforeEach(() => {
    language.lang = 'en';
    language.learnNames(caseNames());
    localStorage.clear();
    sent = [];
  });
  afterEach(cleanup);
  const show = (update: Update, props = {}) =>
    render(Deal, {
      update,
      live: true,
      state: { is: 'idle' as const },
      onact: (act: string, args: object) => void sent.push([act, args as Record<string, string>]),
      ...props,
    });

  it('sends each act once, when it can, and remembers its part', async () => {
    const lobby = shown({ table: 'T' });
    const name = lobby.view.viewer;
    const { rerender } = show(lobby, { live: false });
    expect(sent).toEqual([]);
    await rerender({ live: true });
    await rerender({ update: { ...lobby, rev: lobby.rev + 1 } });
    expect(sent.map(([act]) => act)).toEqual(['seed-hash']);
    cleanup();
    show(shown({ table: 'T', phones: [`${name}:-${sent[0]![1].hash}`], open: true }));
    expect(sent.map(([act]) => act)).toEqual(['seed-hash', 'seed-part']);
    expect(hashOf(sent[1]![1].part!)).toBe(sent[0]![1].hash);
    expect(text()).toBe('');
    cleanup();
    show(shown({ table: 'T', phones: [] }, 'turn'));
    expect(text()).toContain('has not begun with the random part');
  });
  it('names the second phone of a seat', () => {
    const lobby = shown({ table: 'T' });
    show(lobby, { number: 2 });
    cleanup();
    show(shown({ table: 'T', phones: [`${lobby.view.viewer}.2:-${sent[0]![1].hash}`], open: true }), { number: 2 });
    expect(sent.map(([act]) => act)).toEqual(['seed-hash', 'seed-part']);
  });
  it('says so when the seed cannot be read', () => {
    show(shown({ table: 'T' }));
    cleanup();
    show(shown({ table: 'T', phones: [`${shown(undefined).view.viewer}:-${sent[0]![1].hash}`, 'seat-9:?'], open: true }));
    expect(text()).toContain('has not begun with the random part');
  });
});
