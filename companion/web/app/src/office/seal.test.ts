import { afterEach, expect, it, vi } from 'vitest';
import vectors from '../../../../seal/testdata/vectors.json';
import { fromBase64url, toBase64url } from '../lib/bytes';
import type { OfficeAnswer } from '../lib/wire';
import { officeOf } from './ask';
import { Office } from './office.svelte';
import { OfficeKey } from './seal';

const key = fromBase64url(vectors.key);
const v = vectors.office;

it('the daemon and the page agree byte for byte', () => {
  const office = new OfficeKey(key);
  expect(toBase64url(office.seal(v.epoch, v.number, JSON.parse(v.json), fromBase64url(v.nonce)))).toBe(v.request);
  expect(office.open(v.number, fromBase64url(v.answer))).toEqual(JSON.parse(v.json));
});

it('opens nothing that is not the answer to its question', () => {
  const office = new OfficeKey(key);
  const answer = fromBase64url(v.answer);
  expect(() => office.open(v.number + 1, answer)).toThrow();
  expect(() => office.open(v.number, fromBase64url(v.request))).toThrow();
  expect(() => new OfficeKey(fromBase64url(vectors.join.code + vectors.join.code.slice(0, 21))).open(v.number, answer)).toThrow();
  for (const at of [0, 5, 12, 20, 60, answer.length - 1]) {
    expect(() => office.open(v.number, Uint8Array.from(answer, (b, i) => (i === at ? b ^ 1 : b)))).toThrow();
  }
  expect(() => office.open(v.number, answer.subarray(0, 30))).toThrow();
});

it('counts its requests up, over reloads and a clock that is set back', async () => {
  const numbers: bigint[] = [];
  const get = (async (_path: string, init: RequestInit) => {
    numbers.push(new DataView((init.body as Uint8Array).buffer).getBigUint64(1 + 9));
    throw new Error('no network');
  }) as unknown as typeof fetch;
  const site = { base: 'majordome/1/home/count', table: 'count', demo: false };
  const device = { user: 'count-host', number: 2, key };
  const now = vi.spyOn(Date, 'now').mockReturnValue(5000);
  await officeOf(site, device, () => 7, get)({ row: 'x' }).catch(() => {});
  now.mockReturnValue(1000);
  await officeOf(site, device, () => 7, get)({ row: 'x' }).catch(() => {}); // another tab, or after a reload
  now.mockRestore();
  expect(numbers).toEqual([5000n, 5001n]);
});

afterEach(() => vi.useRealTimers());

it('watches all rows in one request, and asks again when there is no answer', async () => {
  vi.useFakeTimers();
  const asked: unknown[] = [];
  const answers: (OfficeAnswer | Error | 'held')[] = [
    { rows: { x: { value: 1, seen: 'a' }, y: { value: null, seen: 'n' } } },
    new Error('away'),
    { why: { k: 'table.unknown' } },
    {},
    { rows: { x: { value: 2, seen: 'b' } } },
    'held',
    { rows: { z: { value: 5, seen: 'z' }, x: { why: { k: 'table.staff.locked' }, seen: 'l' } } },
    'held',
    'held',
  ];
  const office = new Office(async ({ watch }, signal) => {
    asked.push(watch);
    const next = answers.shift()!;
    if (next === 'held') return new Promise((_, end) => signal!.addEventListener('abort', () => end(new Error('ended'))));
    if (next instanceof Error) throw next;
    return next;
  });
  const shown: unknown[] = [];
  const watch = (row: string): () => void => office.watch(row, (value) => shown.push([row, value]));
  const ends = [watch('x'), watch('y'), watch('x')];
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked.splice(0)).toEqual([{ x: '', y: '' }, ...Array<unknown>(4).fill({ x: 'a', y: 'n' }), { x: 'b', y: 'n' }]);
  expect(shown.splice(0)).toEqual([['x', 1], ['x', 1], ['y', undefined], ['x', 2], ['x', 2]]);
  ends.push(watch('x')); // what is known is shown at once, and asks nothing
  ends.pop()!();
  expect(shown.splice(0)).toEqual([['x', 2]]);
  ends.push(watch('z'));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.splice(0)).toEqual([{ x: 'b', y: 'n', z: '' }, { x: 'l', y: 'n', z: 'z' }]);
  expect(shown.splice(0)).toEqual([['z', 5], ['x', undefined], ['x', undefined]]);
  ends.pop()!();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.splice(0)).toEqual([{ x: 'l', y: 'n' }]);
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
});

it('does a row, and tells why not', async () => {
  const answers: (OfficeAnswer | Error)[] = [{ value: 3 }, { why: { k: 'table.busy' } }, new Error('away')];
  const office = new Office(async () => {
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next;
  });
  expect(await office.do('x')).toEqual({ value: 3 });
  expect(await office.do('x')).toEqual({ why: { k: 'table.busy' } });
  expect(await office.do('x')).toEqual({ why: { k: 'ui.host.lost' } });
});
