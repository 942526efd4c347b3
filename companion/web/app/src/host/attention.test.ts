import { cleanup, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';
import { listAttention } from './attention';
import Attention from './Attention.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function table(over: (u: Update) => void = () => {}): Update {
  const u = hostUpdate('running');
  u.desk!.watch = { still: 0 };
  language.learnSeats(u.view.seats);
  over(u);
  return u;
}
const ids = (u: Update, since = 0) => listAttention(u, since).map((i) => (i.grave ? `${i.id}!` : i.id));

describe('what wants the host’s eyes', () => {
  it('is nothing while all goes well, before a game and after it', () => {
    expect(ids(table())).toEqual([]);
    const all = (u: Update) => {
      u.desk!.watch = { still: 9e9, lost: [{ reader: 'urn', since: 9e9 }] };
    };
    expect(ids(table(all))).not.toEqual([]);
    expect(ids(table((u) => (all(u), u.view.phase = 'lobby')))).toEqual([]);
    expect(ids(table((u) => (all(u), u.view.result = { rule: '', winners: [], msg: { k: 'hc.over.survivors' } })))).toEqual([]);
  });
  it('is who is waited for: first worth a look, then grave, and not in a pause', () => {
    const u = table((u) => (u.waited = 170_000));
    expect(ids(u)).toEqual([]);
    expect(ids(u, 10_000)).toEqual(['waiting']);
    expect(ids(u, 130_000)).toEqual(['waiting!']);
    u.paused = { k: 'table.paused.host' };
    expect(ids(u, 900_000)).toEqual([]);
  });
  it('is a table where nothing happens though nobody in particular is waited for', () => {
    expect(ids(table((u) => (u.view.active = [], u.desk!.watch = { still: 180_000 })))).toEqual(['still']);
  });
  it('is a reader that does not answer, and one that refuses again and again', () => {
    const u = table((u) => (u.desk!.watch = { still: 0, lost: [{ reader: 'show', since: 0 }], wrong: [{ reader: 'urn', n: 2 }] }));
    expect(ids(u)).toEqual(['lost show!']);
    u.desk!.watch!.wrong = [{ reader: 'urn', n: 3 }];
    expect(ids(u)).toEqual(['lost show!', 'wrong urn']);
    u.desk!.watch!.wrong = [{ reader: 'urn', n: 5 }];
    expect(ids(u)).toEqual(['lost show!', 'wrong urn!']);
  });
  it('is a phone that sleeps, gravely where its seat is to act, and never one that has not come or whose player is dead', () => {
    const u = table((u) => (u.desk!.watch = { still: 0, away: [1, 2, 3, 4].map((seat) => ({ seat, since: 25_000 })) }));
    u.desk!.invites.find((i) => i.seat === 4)!.joined = false;
    u.view.seats.find((s) => s.seat === 3)!.alive = false;
    expect(ids(u)).toEqual(['away 2!', 'away 1']);
    u.desk!.watch!.away = [{ seat: 2, since: 1000 }];
    expect(ids(u)).toEqual([]);
  });
  it('is who asks for a hint', () => {
    expect(ids(table((u) => (u.desk!.hints = { most: 'free', given: 0, asked: [{ seat: 3, since: 0 }] })))).toEqual(['hint 3']);
  });
});

it('says each with what to do, and counts on by itself', async () => {
  vi.useFakeTimers();
  render(Attention, { update: table((u) => (u.waited = 170_000)) });
  expect(document.body.textContent).not.toContain('Waiting for');
  vi.advanceTimersByTime(15_000);
  await tick();
  expect(document.body.textContent).toContain('Waiting for Bruno.');
  expect(document.body.textContent).toContain('for 3 min');
  expect(document.body.textContent).toContain('act here in their place');
});

it('gives advice once for several phones that sleep', () => {
  const away = [1, 2].map((seat) => ({ seat, since: 25_000 }));
  render(Attention, { update: table((u) => (u.desk!.watch = { still: 0, away })) });
  const times = (words: string) => document.body.textContent!.split(words).length - 1;
  expect([times('the phone sleeps'), times('Ask for the screen to be woken.')]).toEqual([2, 1]);
});
