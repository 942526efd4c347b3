import { cleanup, fireEvent, render, screen as page } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seatSamples } from '../dev/seats';
import { language } from '../lib/language.svelte';
import TableFacts from './TableFacts.svelte';
import { screen } from './screen.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(() => {
  cleanup();
  screen.how = undefined;
});

const open = () => render(TableFacts, { update: seatSamples['move']!(), number: 1, phones: undefined, onforget: () => {} });

it.each([['lock', 'stays on'], ['film', 'tries to keep'], ['none', 'Nothing keeps']] as const)('it says how far the screen is kept on: %s',
  (how, said) => {
    screen.how = how;
    open();
    expect(page.getByText(new RegExp(said))).toBeTruthy();
    expect(page.queryByText(/5 minutes/) !== null).toBe(how !== 'lock');
  });

it('one tap lets the screen sleep, and one more keeps it on', async () => {
  screen.how = 'lock';
  open();
  await fireEvent.click(page.getByRole('button', { name: 'Let the screen sleep' }));
  expect(screen.wanted).toBe(false);
  await fireEvent.click(page.getByRole('button', { name: 'Keep the screen on' }));
  expect(screen.wanted).toBe(true);
});

it('says nothing of it while no game runs', () => {
  open();
  expect(page.queryByRole('button', { name: 'Let the screen sleep' })).toBeNull();
});
