import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Args } from '../lib/wire';
import Claim from './Claim.svelte';
import Console from './Console.svelte';
import { hostRows, pleas } from './model';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
  language.learnSeats(hostUpdate('hosts').view.seats);
});
afterEach(cleanup);

const page = (number: number, did: [string, Args][] = []) => {
  const update = hostUpdate('hosts');
  render(Console, { update, number, state: { is: 'idle' }, onact: (act: string, args: Args) => void did.push([act, args]), ondismiss: () => {} });
  return did;
};

it('the first device answers who asks, in one tap, by the code that is shown', async () => {
  const did = page(1);
  expect(screen.getAllByRole('alert').map((e) => e.textContent)).toEqual(['Another device asks for your page', 'Another device asks for your page']);
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
  expect(pleas(update, 2)).toEqual([]);
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

it('without a card, the address of the screen has the port that this page came by', async () => {
  const answer = { state: 'free', numbers: [], at: 0, laid: 0, wrong: 0, seconds: 0, box: '', code: '' };
  render(Claim, { onyours: () => {}, hear: async () => answer as never });
  expect(location.port).not.toBe('');
  expect(await screen.findByText(new RegExp(`localhost:${location.port}/display`))).toBeTruthy();
});
