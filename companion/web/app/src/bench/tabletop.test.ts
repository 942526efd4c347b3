import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, names, samples } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import TableTop from './TableTop.svelte';

beforeEach(() => language.learnNames(names));
afterEach(cleanup);

/** The keys and links that can still be used. */
function usable(live: boolean): Element[] {
  const update = samples['deposit']!();
  language.learnSeats(update.view.seats);
  render(TableTop, { bench: bench(update), update, act: () => undefined, live });
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
