import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from './mqtt';
import type { Client } from './link.svelte';

// The test is the broker, byte by byte (MQTT 3.1.1, section 3).
class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: number[][] = [];
  onopen: (() => void) | null = null;
  onmessage: ((m: { data: ArrayBuffer }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly url: string, readonly protocol: string) {
    Socket.made.push(this);
  }
  send(bytes: Uint8Array) {
    this.sent.push([...bytes]);
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  hear(...bytes: number[]) {
    this.onmessage?.({ data: Uint8Array.from(bytes).buffer });
  }
}

// Test files share their modules: this one loads its own copy, with a beat that the test drives.
const beats = vi.hoisted(() => {
  vi.resetModules();
  return new Set<() => void>();
});
afterAll(() => void vi.resetModules());
vi.mock('./beat', () => ({ onBeat: (f: () => void) => (beats.add(f), () => beats.delete(f)) }));
const pulse = () => beats.forEach((f) => f());

const text = (s: string) => [...new TextEncoder().encode(s)];
const string = (s: string) => [0, s.length, ...text(s)];
const length = (n: number): number[] => (n < 128 ? [n] : [n % 128 | 128, ...length(n >> 7)]);
const packet = (first: number, ...body: number[]) => [first, ...length(body.length), ...body];
const ACCEPTED = packet(0x20, 0, 0);
const message = (topic: string, payload: number[], id = 0) =>
  packet(id > 0 ? 0x32 : 0x30, ...string(topic), ...(id > 0 ? [0, id] : []), ...payload);

let client: Client;
let socket: Socket;
let said: string[];
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  client = connect({ url: 'ws://table/mqtt', clientId: 't7-s3.abcdefgh', username: 't7-s3', password: 'once' });
  socket = Socket.made.at(-1)!;
  said = [];
  client.on('connect', () => said.push('connect'));
  client.on('close', () => said.push('close'));
  client.on('error', (e) => said.push(`error ${e.code}`));
  client.on('message', (topic, payload) => said.push(`${topic}=${new TextDecoder().decode(payload)}`));
});
afterEach(() => {
  client.end();
  expect(beats.size).toBe(0);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const login = () => {
  socket.open();
  socket.hear(...ACCEPTED);
  socket.sent.length = 0;
};

it('logs in as soon as the socket is open', () => {
  expect([socket.url, socket.protocol]).toEqual(['ws://table/mqtt', 'mqtt']);
  expect(socket.sent).toEqual([]);
  socket.open();
  expect(socket.sent).toEqual([
    packet(0x10, ...string('MQTT'), 4, 0xc2, 0, 15, ...string('t7-s3.abcdefgh'), ...string('t7-s3'), ...string('once')),
  ]);
  expect(said).toEqual([]);
  socket.hear(...ACCEPTED);
  expect(said).toEqual(['connect']);
});

it.each([2, 3, 4, 5])('tells the code of a refusal (%i), then the end', (code) => {
  socket.open();
  socket.hear(...packet(0x20, 0, code));
  expect(said).toEqual([`error ${code}`, 'close']);
});

it.each([['open', false], ['answered', true]])('gives up when the socket is not %s in 5 s', (_, open) => {
  if (open) socket.open();
  vi.advanceTimersByTime(4999);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(['close']);
  expect(socket.readyState).toBe(3);
});

describe('what arrives', () => {
  beforeEach(login);
  const long = (n: number) => 'x'.repeat(n);

  it('may be cut anywhere', () => {
    const bytes = [...message('a/view', text(long(300)), 7), ...message('b', text('two'))];
    for (const b of bytes) socket.hear(b);
    expect(said).toEqual(['connect', `a/view=${long(300)}`, 'b=two']);
  });
  it('may come several in one frame, and half of the next', () => {
    const next = message('c', text('three'));
    socket.hear(...message('a', text('one')), ...message('b', text('two')), ...next.slice(0, 3));
    expect(said).toEqual(['connect', 'a=one', 'b=two']);
    socket.hear(...next.slice(3));
    expect(said.at(-1)).toBe('c=three');
  });
  it.each([0, 121, 128, 16_000, 17_000, 70_000])('may have %i bytes', (n) => {
    socket.hear(...message('a', text(long(n))));
    expect(said.at(-1)).toBe(`a=${long(n)}`);
  });
  it('is acknowledged when that is asked for', () => {
    socket.hear(...message('a', text('one')), ...message('b', text('two'), 9));
    expect(socket.sent).toEqual([packet(0x40, 0, 9)]);
  });
  it('may make the page throw, and the next one is heard', () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    client.on('message', (topic) => {
      if (topic === 'a') throw new Error('noise');
      said.push(topic);
    });
    socket.hear(...message('a', text('one'), 3), ...message('b', text('two')));
    expect(said.at(-1)).toBe('b');
    expect(socket.sent).toEqual([packet(0x40, 0, 3)]);
    expect(report).toHaveBeenCalledOnce();
  });
  it.each([[[0x32, 0]], [[0x30, 3, 0, 9, 97]], [[0x30, 255, 255, 255, 255]]])('ends the connection when it is no MQTT (%j)', (noise) => {
    socket.hear(...noise);
    expect(said).toEqual(['connect', 'close']);
  });
  it('is not told after the end', () => {
    client.on('message', (topic) => (said.push(topic), client.end()));
    const { onclose } = socket;
    socket.hear(...message('a', text('one'), 3), ...message('b', text('two')));
    onclose?.();
    expect(said).toEqual(['connect', 'a']);
    expect(socket.sent).toEqual([]);
  });
});

describe('what is asked', () => {
  beforeEach(login);
  const grants: unknown[] = [];
  const subscribe = () => client.subscribe(['a', 'b/c'], (e, granted) => grants.push(e ? e.message : granted));
  const publish = () => client.publish('up', Uint8Array.of(1, 2), (e) => grants.push(e ? e.message : 'taken'));
  beforeEach(() => void (grants.length = 0));

  it('subscribes, and tells what was granted', () => {
    subscribe();
    expect(socket.sent).toEqual([packet(0x82, 0, 1, ...string('a'), 1, ...string('b/c'), 1)]);
    socket.hear(...packet(0x90, 0, 1, 1, 128));
    expect(grants).toEqual([[1, 128]]);
  });
  it('publishes, and tells when it is taken', () => {
    subscribe();
    publish();
    expect(socket.sent[1]).toEqual(packet(0x32, ...string('up'), 0, 2, 1, 2));
    socket.hear(...packet(0x40, 0, 2));
    expect(grants).toEqual(['taken']);
    socket.hear(...packet(0x40, 0, 2));
    expect(grants).toEqual(['taken']);
  });
  it.each([
    ['the socket', () => socket.onclose?.()],
    ['end', () => client.end()],
    ['silence', () => (pulse(), pulse())],
  ])('hears of an end by %s', (_, end) => {
    subscribe();
    publish();
    end();
    expect(grants).toEqual(['closed', 'closed']);
    publish();
    expect(grants).toEqual(['closed', 'closed', 'closed']);
  });
});

it('asks for a sign of life at each beat, and takes silence for the end', () => {
  login();
  pulse();
  expect(socket.sent).toEqual([[0xc0, 0]]);
  socket.hear(0xd0, 0);
  pulse();
  socket.hear(...message('a', text('one'))); // any packet is a sign of life
  pulse();
  expect(said).toEqual(['connect', 'a=one']);
  pulse();
  expect(said).toEqual(['connect', 'a=one', 'close']);
  expect(socket.readyState).toBe(3);
});
