import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Args } from '../lib/wire';
import Console from './Console.svelte';
import { joinState, seatRows } from './model';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
  language.learnSeats(hostUpdate('act').view.seats);
});
afterEach(cleanup);

it('the host turns a copied key away at any seat, and at the own page', async () => {
  const did: [string, Args][] = [];
  const update = hostUpdate('team');
  render(Console, { update, state: { is: 'idle' }, onact: (act: string, args: Args) => void did.push([act, args]), ondismiss: () => {} });
  expect(screen.getAllByRole('alert').map((e) => e.textContent)).toEqual(['A second phone asks for Bruno’s seat',
    'A second device asks for your page']);
  await fireEvent.click(screen.getAllByRole('button', { name: 'Turn away' })[0]!);
  await fireEvent.click(screen.getAllByRole('button', { name: 'Turn away' })[1]!);
  expect(did).toEqual([['cut-phone', { seat: 'seat-2' }], ['cut-phone', { seat: 'host' }]]);
});

it('nobody is said to ask while nothing can be answered', () => {
  const update = hostUpdate('lost');
  update.table.asked = [2];
  render(Console, { update, state: { is: 'idle' }, onact: () => {}, ondismiss: () => {} });
  expect(screen.queryAllByRole('alert')).toEqual([]);
});

it('an alarm has the count beside it, where it can be counted', async () => {
  const did: string[] = [];
  const update = hostUpdate('act');
  update.view.offers = [{ act: 'count', rule: 'GEN-E09', aside: true }];
  update.notice = { n: 9, at: 0, msg: { k: 'gen.alarm' }, rule: 'GEN-E13', signal: 'again', reader: 'show' } as never;
  render(Console, { update, state: { is: 'idle' }, onact: (act: string) => void did.push(act), ondismiss: () => {} });
  await fireEvent.click(within(screen.getByRole('status')).getByRole('button', { name: 'Count the cards' }));
  expect(did).toEqual(['count']);
});

it('the host sees the phones of a seat, cuts one off alone at a second tap, and invites one more', async () => {
  const did: [string, Args][] = [];
  const update = hostUpdate('team');
  expect(seatRows(update)[1]).toMatchObject({ phones: [{ n: 1, online: false }, { n: 3, online: true }], more: { seat: 'seat-2' } });
  render(Console, { update, state: { is: 'idle' }, onact: (act: string, args: Args) => void did.push([act, args]), ondismiss: () => {} });
  for (const label of ['Cut off', 'Really?']) await fireEvent.click(screen.getByRole('button', { name: `${label} : Bruno, Phone 3` }));
  await fireEvent.click(screen.getByRole('button', { name: 'One phone more : Bruno' }));
  expect(did).toEqual([['end-phone', { seat: 'seat-2', phone: '3' }], ['add-phone', { seat: 'seat-2' }]]);
  expect(screen.queryByText('Invite one phone more')).toBeNull(); // nowhere else
});

it('a row tells how long its code serves, and that it has ended', () => {
  const update = hostUpdate('lobby');
  update.desk!.invites = [
    { seat: 2, url: 'http://t/#j=x', joined: false, minutes: 7 },
    { seat: 3, url: '', joined: false, ended: true },
    { seat: 1, url: '', joined: true },
    { seat: 4, url: '', joined: false },
  ]; // could not be recorded
  update.table.online = [];
  expect(seatRows(update).slice(0, 4).map((r) => joinState(r, language))).toEqual(['phone away', 'code good for 7 min', 'code has ended',
    'no code']);
});

it('the host ends the wait for a display that nobody sees, at one tap', async () => {
  const did: [string, Args][] = [];
  const update = hostUpdate('act');
  update.view.offers = [{ act: 'skip-scene', rule: 'GEN-001' }];
  update.view.active = [];
  render(Console, { update, state: { is: 'idle' }, onact: (act: string, args: Args) => void did.push([act, args]), ondismiss: () => {} });
  await fireEvent.click(screen.getByRole('button', { name: 'Stop waiting for the display' }));
  expect(did).toEqual([['skip-scene', {}]]);
});
