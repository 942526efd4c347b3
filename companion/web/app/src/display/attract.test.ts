import { cleanup, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { fromStore, writable } from 'svelte/store';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';
import Display from './Display.svelte';

const table = writable<Update | undefined>();
const link = fromStore(table);
const line = {
  get update(): Update | undefined {
    return link.current;
  },
  trouble: undefined,
  start: () => () => undefined,
};

const lobby = (rev: number, epoch = 7): Update => {
  const u = samples['lobby']!();
  return { ...u, epoch, rev, demo: false, view: { ...u.view, seats: [] } };
};

/** A daemon that answers with a status, and with 200 lets the test write. */
class Daemon {
  status = 204;
  asked = 0;
  gone = 0;
  write: (u: Update) => void = () => undefined;
  end: () => void = () => undefined;
  readonly answers = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (url !== '/attract') throw new Error('not here');
    this.asked++;
    const headers = { 'Majordome-Idle': '300' };
    if (this.status !== 200) return new Response(null, { status: this.status, headers });
    const body = new ReadableStream<Uint8Array>({
      start: (c) => {
        this.write = (u) => c.enqueue(new TextEncoder().encode(`${JSON.stringify(u)}\n`));
        this.end = () => c.close();
        init?.signal?.addEventListener('abort', () => {
          this.gone++;
          c.error(new Error('aborted'));
        });
      },
    });
    return new Response(body, { headers });
  };
}

let daemon: Daemon;
const pass = async (seconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  flushSync();
};
const shows = (text: string): boolean => screen.queryAllByText(new RegExp(text)).length > 0;
const anne = 'Anne'; // a player of the automatic evening
const caption = (): string => screen.getByRole('status', { name: language.t('display.captions') }).textContent ?? '';
const empty = language.t('ui.display.join.empty').slice(0, 12);

beforeEach(() => {
  vi.useFakeTimers();
  language.learnNames(names);
  daemon = new Daemon();
  vi.stubGlobal('fetch', daemon.answers);
  table.set(lobby(1));
  render(Display, { line });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Makes the display show an automatic evening. */
async function plays(): Promise<void> {
  daemon.status = 200;
  await pass(60);
  daemon.write({ ...samples['play']!(), epoch: 0, demo: true });
  await pass(1);
  expect([shows(anne), shows(empty)]).toEqual([true, false]);
}

it('an empty table asks once a minute, and shows what plays until it ends', async () => {
  await pass(59);
  expect([daemon.asked, shows(empty)]).toEqual([1, true]);
  await pass(1);
  expect(daemon.asked).toBe(2);
  await plays();
  language.learnSeats([]); // as the link does
  table.set(lobby(2)); // a step that shows nothing new
  await pass(1);
  expect([shows(anne), language.label('seat-1')]).toEqual([true, anne]);
  daemon.end();
  await pass(1);
  expect([shows(anne), shows(empty), daemon.asked]).toEqual([false, true, 3]);
  await pass(60);
  expect(daemon.asked).toBe(4);
});

it.each([['pointermove'], ['pointerdown'], ['keydown'], ['wheel']])('who is at the screen has the table back, and for a while: %s',
  async (event) => {
    await pass(0);
    await plays();
    daemon.write({ ...samples['crime']!(), epoch: 0, demo: true });
    await pass(1);
    expect(caption()).not.toBe('');
    window.dispatchEvent(new Event(event));
    flushSync();
    expect([shows(anne), shows(empty), caption(), daemon.gone]).toEqual([false, true, '', 1]);
    await pass(299);
    expect(daemon.asked).toBe(2);
    await pass(1);
    expect(daemon.asked).toBe(3);
  });

it('it is over when somebody sits, and nobody asks then', async () => {
  await pass(0);
  await plays();
  table.set({ ...samples['lobby']!(), epoch: 7, rev: 3, demo: false });
  await pass(0);
  expect([shows(language.t('ui.display.demo')), daemon.gone]).toEqual([false, 1]);
  await pass(600);
  expect(daemon.asked).toBe(2);
});

it('a daemon that never plays is asked once, and again when it has begun anew', async () => {
  table.set(lobby(2, 8));
  daemon.status = 404;
  await pass(600);
  const before = daemon.asked;
  table.set(lobby(3, 8));
  await pass(600);
  expect(daemon.asked).toBe(before);
  table.set(lobby(1, 9));
  await pass(0);
  expect(daemon.asked).toBe(before + 1);
});
