import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, names, samples } from '../dev/fixtures';
import { tongue } from '../lib/tongue.svelte';
import Felt from './Felt.svelte';

beforeEach(() => tongue.learnNames(names));
afterEach(cleanup);

/** What can still be pressed or followed. */
function usable(live: boolean): Element[] {
  const update = samples['deposit']!();
  tongue.learnSeats(update.view.seats);
  render(Felt, { bench: bench(update), update, act: () => undefined, live });
  return [...document.querySelectorAll('button, a')].filter((e) =>
    e.tagName === 'A' ? e.getAttribute('href') !== null : !(e as HTMLButtonElement).disabled && e.closest('fieldset[disabled]') === null
  );
}

it('lets nothing be done while the daemon does not answer', () => {
  expect(usable(false)).toEqual([]);
});
it('lets cards, pawns, readers and phones be used while it does', () => {
  expect(usable(true).length).toBeGreaterThan(30);
});
