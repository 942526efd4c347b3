import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { seatSamples } from '../dev/seats';
import Table from '../display/Table.svelte';
import { language } from '../lib/language.svelte';
import type { Args, Offer, Update } from '../lib/wire';
import { isPassing } from './notice';
import Seat from './Seat.svelte';

const answers: Offer[] = [{ act: 'cut-phone', rule: 'GEN-E12', aside: true }];

function seat(offers: Offer[]): [string, Args][] {
  const did: [string, Args][] = [];
  const update = (seatSamples['move'] as () => Update)();
  update.view.offers.push(...offers);
  render(Seat, {
    update,
    connection: 'live',
    state: { is: 'idle' },
    onact: (act: string, args: Args) => void did.push([act, args]),
    ondismiss: () => {},
    onforget: () => {},
  });
  return did;
}

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

it('who has the key of this phone is turned away with one tap', async () => {
  const did = seat(answers);
  expect(screen.getByRole('alert').textContent).toBe(language.t('phone.second.title'));
  await fireEvent.click(screen.getByRole('button', { name: 'Turn away' }));
  expect(did).toEqual([['cut-phone', {}]]);
});

it('is asked about in every tab, and nowhere else', async () => {
  seat(answers);
  await fireEvent.click(screen.getByRole('button', { name: /^story/i }));
  expect(screen.getAllByRole('button', { name: 'Turn away' })).toHaveLength(1);
  cleanup();
  seat([]);
  expect(screen.queryByRole('button', { name: 'Turn away' })).toBeNull();
});

it('a seat says on each of its phones how many see it, and which this one is', async () => {
  const update = (seatSamples['move'] as () => Update)();
  const at = update.view.me!.seat;
  update.table.phones = [{ seat: at + 1, phones: [1, 3], online: [] }, { seat: at, phones: [1, 2, 4], online: [1, 2] }];
  const show = () =>
    render(Seat, {
      update,
      connection: 'live',
      state: { is: 'idle' },
      number: 4,
      onact: () => {},
      ondismiss: () => {},
      onforget: () => {},
    });
  show();
  expect(screen.getByText('3 phones see this seat')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /^manor/i }));
  expect(await screen.findByText(/This one is number 4/)).toBeTruthy();
  cleanup();
  update.table.phones = update.table.phones.slice(0, 1); // another seat has several
  show();
  expect(screen.queryByText(/phones see this seat/)).toBeNull();
});

it('the display says at which seat, as long as it is asked', () => {
  const update = samples['play']!();
  language.learnSeats(update.view.seats);
  update.table.asked = [2, 0];
  render(Table, { update, voice: language, lang: 'en', onlang: () => {} });
  for (const line of ['A second phone asks for Bruno’s seat.', 'A second device asks for the host’s page.']) {
    expect(screen.getByText(line)).toBeTruthy();
  }
});

it('news of phones pass by themselves', () => {
  expect(isPassing({ n: 1, msg: { k: 'table.phone.joined' }, passing: true }, 1)).toBe(true);
  expect(isPassing({ n: 1, msg: { k: 'table.undone' } }, 1)).toBe(false);
  expect(isPassing({ n: 1, msg: { k: 'gen.again' }, passing: true, private: true }, 1)).toBe(false);
});

it('who is to present a card again reads it, and the others are not kept by it', () => {
  const again = { n: 1, msg: { k: 'gen.again', a: { seat: 'seat-2' } }, signal: 'again' };
  expect(isPassing(again, 2)).toBe(false);
  expect(isPassing(again, 1)).toBe(true);
  expect(isPassing({ ...again, private: true }, 1)).toBe(false);
  expect(isPassing({ n: 1, msg: { k: 'gen.again.anyone' }, signal: 'again' }, 1)).toBe(false);
});
