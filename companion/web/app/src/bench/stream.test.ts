import { describe, expect, it } from 'vitest';
import type { Bench } from '../gen/wire';
import { isSameBench, followBench, readBench, sendAct } from './stream';

const EMPTY =
  '{"cards":null,"pawns":null,"strips":[{"name":"urn","pixels":null}],"players":null,"readers":null,"play":{"on":true,"speed":1,"seed":1,"mine":null},"busy":false}';

function stream(...chunks: string[]): Response {
  const bytes = chunks.map((c) => new TextEncoder().encode(c));
  return new Response(
    new ReadableStream({
      pull(c) {
        const next = bytes.shift();
        if (next === undefined) c.close();
        else c.enqueue(next);
      },
    }),
  );
}

it('empty lists of the daemon are lists', () => {
  const b = readBench(EMPTY);
  expect([b.cards, b.pawns, b.players, b.readers, b.strips[0]?.pixels, b.play?.mine]).toEqual([[], [], [], [], [], []]);
});

it('light alone is no other table', () => {
  const b = readBench(EMPTY);
  expect(isSameBench(b, { ...b, strips: [{ name: 'urn', pixels: ['#ff0000'] }] })).toBe(true);
  expect(isSameBench(b, { ...b, busy: true })).toBe(false);
});

describe('the stream', () => {
  const listen = (seen: string[], stop: AbortController) => ({
    bench: (b: Bench) => void seen.push(`bench ${b.busy}`),
    live: (on: boolean) => {
      seen.push(`live ${on}`);
      if (!on) stop.abort();
    },
    denied: () => void seen.push('denied'),
  });

  it('sends the token in a header, never in the address', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    let url = '';
    let auth: string | undefined;
    await followBench('secret', listen(seen, stop), stop.signal, async (input, init) => {
      url = String(input);
      auth = (init?.headers as Record<string, string>)['Authorization'];
      return stream(EMPTY, '\n', EMPTY.replace('false', 'true') + '\n');
    });
    expect(url).toBe('/bench/events');
    expect(auth).toBe('Bearer secret');
    expect(seen.slice(0, 3)).toEqual(['live true', 'bench false', 'bench true']);
  });
  it('says that there is no room for it, and comes back', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    await followBench(
      'x',
      {
        ...listen(seen, stop),
        live: (on, full) => {
          seen.push(`live ${on} full ${full}`);
          if (!on) stop.abort();
        },
      },
      stop.signal,
      async () => new Response('', { status: 503 }),
    );
    expect(seen).toEqual(['live false full true']);
  });
  it('stops when the token is wrong', async () => {
    const seen: string[] = [];
    const stop = new AbortController();
    await followBench('x', listen(seen, stop), stop.signal, async () => new Response('', { status: 401 }));
    expect(seen).toEqual(['denied']);
  });
});

describe('an act', () => {
  it('is accepted', async () => {
    expect(await sendAct('t', { act: 'deal' }, async () => new Response(null, { status: 204 }))).toBeUndefined();
  });
  it('is refused with a reason', async () => {
    const reject = { code: 'unknown', rule: 'GEN-E01', why: { k: 'gen.again' } };
    expect(await sendAct('t', { act: 'flip' }, async () => new Response(JSON.stringify(reject), { status: 400 }))).toEqual(reject);
  });
  it('fails when the daemon is away', async () => {
    await expect(sendAct('t', { act: 'flip' }, async () => new Response('', { status: 500 }))).rejects.toThrow('500');
  });
});
