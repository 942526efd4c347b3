import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Args } from '../lib/wire';
import Claim from './Claim.svelte';
import Console from './Console.svelte';
import { hostRows, accessRequests } from './model';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
  language.learnSeats(hostUpdate('hosts').view.seats);
});
afterEach(cleanup);

const page = (number: number, did: [string, Args][] = []) => {
  const update = hostUpdate('hosts');
  render(Console, {
    update,
    number,
    state: { is: 'idle' },
    onact: (act: string, args: Args) => void did.push([act, args]),
    ondismiss: () => {},
  });
  return did;
};

it('the first device answers who asks, in one tap, by the code that is shown', async () => {
  const did = page(1);
  expect(screen.getAllByRole('alert').map((e) => e.textContent)).toEqual(['Another device asks for your page',
    'Another device asks for your page']);
  expect(screen.getByText('4821')).toBeTruthy();
  expect(screen.getByText(/By its own word: Android/)).toBeTruthy();
  await fireEvent.click(screen.getAllByRole('button', { name: 'Accept' })[0]!);
  await fireEvent.click(screen.getAllByRole('button', { name: 'Refuse' })[1]!);
  expect(did).toEqual([['host-admit', { code: '4821' }], ['host-deny', { code: '0077' }]]);
});

it('the first device cuts another off at a second tap, which is listed with its kind', async () => {
  const did = page(1);
  await fireEvent.click(screen.getByRole('button', { name: 'The host’s devices' }));
  expect(screen.getByText('Device 1 · this one')).toBeTruthy();
  expect(screen.getByText('Device 2 · iPad · away')).toBeTruthy();
  const end = screen.getByRole('button', { name: 'Cut off : Device 2' });
  await fireEvent.click(end);
  expect(did).toEqual([]);
  await fireEvent.click(end);
  expect(did).toEqual([['host-end', { device: '2' }]]);
});

it('a further device answers nobody, and ends itself alone', () => {
  const update = hostUpdate('hosts');
  expect(accessRequests(update, 2)).toEqual([]);
  expect(hostRows(update, 2).map((r) => [r.n, r.own, r.end?.['device']])).toEqual([[1, false, undefined], [2, true, '2']]);
  expect(hostRows(update, 3).map((r) => r.end)).toEqual([undefined, undefined]);
  page(2);
  expect(screen.queryAllByRole('alert')).toEqual([]);
});

it('who asks the host sees the code, and what has come of it', async () => {
  const answers = ['taken', 'wait', 'denied'].map((state) => ({
    state,
    numbers: [],
    at: 0,
    laid: 0,
    wrong: 0,
    seconds: 170,
    box: '',
    code: state === 'wait' ? '0077' : '',
    ahead: 0,
  }));
  const asked: boolean[] = [];
  render(Claim, {
    onyours: () => {},
    hear: async (_: unknown, ask: boolean) => {
      asked.push(ask);
      return answers[Math.min(asked.length - 1, 2)] as never;
    },
  });
  await fireEvent.click(await screen.findByRole('button', { name: 'Ask the host' }));
  expect(await screen.findByText('0077')).toBeTruthy();
  expect(asked).toEqual([false, true]);
  expect(await screen.findByText('The host has refused. Nothing has changed.')).toBeTruthy();
  expect(screen.queryAllByRole('button', { name: 'Ask the host' })).toEqual([]);
});

it('without a card, the screen is named only where it shows a code, by the port that this page came by', async () => {
  const answer = { state: 'free', numbers: [], at: 0, laid: 0, wrong: 0, seconds: 0, box: '', code: '', ahead: 0, screen: true };
  render(Claim, { onyours: () => {}, hear: async () => answer as never });
  expect(location.port).not.toBe('');
  expect(await screen.findByText(new RegExp(`localhost:${location.port}/display`))).toBeTruthy();
  cleanup();
  render(Claim, { onyours: () => {}, hear: async () => ({ ...answer, screen: false }) as never });
  expect(await screen.findByText(/sudo majordome host/)).toBeTruthy();
  expect(screen.queryByText(/localhost/)).toBeNull();
});

it('who is crowded out asks again by itself with the same key, and is told who is ahead', async () => {
  vi.useFakeTimers();
  try {
    const none = { numbers: [], at: 0, laid: 0, wrong: 0, seconds: 1, box: '', code: '', ahead: 0 };
    const answers = [
      { ...none, state: 'taken' },
      { ...none, state: 'busy' },
      { ...none, state: 'wait', code: '0077', ahead: 12 },
      { ...none, state: 'taken' }, // a newcomer has its place
      { ...none, state: 'wait', code: '0078', seconds: 29, turns: true },
      { ...none, state: 'over' },
    ];
    const heard: [unknown, boolean][] = [];
    render(Claim, {
      onyours: () => {},
      hear: async (by: unknown, ask: boolean) => answers[Math.min(heard.push([by, ask]), answers.length) - 1] as never,
    });
    await vi.advanceTimersByTimeAsync(10);
    await fireEvent.click(screen.getByRole('button', { name: 'Ask the host' }));
    await vi.advanceTimersByTimeAsync(10);
    expect(screen.getByText(language.t('ui.claim.busy.host', { n: 1 }))).toBeTruthy();
    await vi.advanceTimersByTimeAsync(1000);
    expect(screen.getByText(language.t('ui.claim.ahead', { n: 12 }))).toBeTruthy();
    await vi.advanceTimersByTimeAsync(2000);
    expect(screen.getByText('0078')).toBeTruthy();
    expect(screen.getByText(language.t('ui.claim.turns', { n: 29 }))).toBeTruthy();
    await vi.advanceTimersByTimeAsync(3000);
    expect(heard.map(([, ask]) => ask).slice(0, 6)).toEqual([false, true, true, true, true, true]);
    expect(heard.slice(6).every(([, ask]) => !ask)).toBe(true); // it is over
    expect(new Set(heard.slice(1).map(([by]) => by)).size).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

it('nobody is accepted by a tap that was meant for the one before', async () => {
  vi.useFakeTimers();
  try {
    const update = hostUpdate('hosts');
    const did: string[] = [];
    const props = {
      number: 1,
      state: { is: 'idle' as const },
      onact: (_: string, args: Args) => void did.push(args['code'] ?? ''),
      ondismiss: () => {},
    };
    const { rerender } = render(Console, { update, ...props });
    const after = hostUpdate('hosts');
    after.desk = { ...after.desk!, pleas: after.desk!.pleas!.slice(1), waiting: 3 };
    await rerender({ update: after, ...props });
    expect(screen.getByText(language.t('host.plea.waiting', { n: 3 }))).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    expect(did).toEqual([]);
    await rerender({ update: { ...after }, ...props });
    await vi.advanceTimersByTimeAsync(800);
    await fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    expect(did).toEqual(['0077']);
  } finally {
    vi.useRealTimers();
  }
});
