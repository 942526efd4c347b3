import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { pauseAuthor } from './model';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const open = (sample: string) => {
  const onact = vi.fn();
  render(Console, { update: hostUpdate(sample), state: { is: 'idle' as const }, onact, ondismiss: () => {} });
  return onact;
};
const button = (name: string) => screen.getByRole('button', { name });

it('stops everything, and gives the room white light or none, at one tap each', async () => {
  const onact = open('running');
  for (const name of ['Pause', 'Alarm', 'Light up', 'Lights out']) await fireEvent.click(button(name));
  expect(onact.mock.calls).toEqual([['pause', {}], ['alarm', {}], ['light', { to: 'white' }], ['light', { to: 'dark' }]]);
});

it('says who has stopped the game, lets it go on, and gives the light back', async () => {
  const onact = open('held');
  expect(document.body.textContent).toContain('Stopped by the host, device no.\u00a02.');
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(button('Light up').getAttribute('aria-pressed')).toBe('true');
  await fireEvent.click(button('Let the game go on'));
  await fireEvent.click(button('Light up'));
  expect(onact.mock.calls).toEqual([['resume', {}], ['light', { to: 'game' }]]);
});

it('takes the last act back after saying which, and asks anew when it is another (GEN-009)', async () => {
  const update = hostUpdate('running');
  const onact = vi.fn();
  update.desk!.undo = { k: 'hc.log.sat', a: { seat: 'seat-1', character: 'character-worms' } };
  language.learnSeats(update.view.seats);
  const { rerender } = render(Console, { update, state: { is: 'idle' as const }, onact, ondismiss: () => {} });
  await fireEvent.click(button('Undo'));
  expect(screen.getByText(/^Undo: Anne /)).toBeTruthy();
  expect(onact).not.toHaveBeenCalled();
  const other = structuredClone(update);
  other.desk!.undo = { k: 'hc.log.sat', a: { seat: 'seat-2', character: 'character-worms' } };
  await rerender({ update: other });
  expect(screen.queryByText(/^Undo: /)).toBeNull(); // something has happened since
  await fireEvent.click(button('Undo'));
  expect(button('Undo').className).not.toContain('h-main'); // one key of that name, and not the golden one
  await fireEvent.click(button('No'));
  expect(screen.queryByText(/^Undo: /)).toBeNull();
  await fireEvent.click(button('Undo'));
  await fireEvent.click(button('Undo'));
  expect(onact.mock.calls).toEqual([['undo', {}]]);
});

it('says that somebody has seen something since (GEN-009)', async () => {
  const update = hostUpdate('running');
  update.view.offers = update.view.offers.map((o) => (o.act === 'undo' ? { ...o, fixed: { force: 'yes' } } : o));
  const onact = vi.fn();
  render(Console, { update, state: { is: 'idle' as const }, onact, ondismiss: () => {} });
  await fireEvent.click(button('Undo'));
  expect(screen.getByText(/^Undo: /).textContent).toMatch(/of which the table has heard nothing\. .*will not forget it/);
});

it('has no bar where there is nothing to stop and no light', () => {
  open('empty');
  expect(screen.queryByRole('region', { name: 'Stop everything, and the light' })).toBeNull();
});

it('names a device of the host, a button, and a program of the house', () => {
  expect(
    ['host', 'host.3', 'button', 'mqtt.home-assistant', 'staff.operator.Otto B.'].map(pauseAuthor).map((by) => [by?.key, by?.n, by?.name]),
  ).toEqual([
    ['host.bar.by.host', 1, ''],
    ['host.bar.by.other', 3, ''],
    ['host.bar.by.button', 1, ''],
    ['host.bar.by.program', 1, 'home-assistant'],
    ['host.bar.by.staff', 1, 'Otto B.'],
  ]);
});
