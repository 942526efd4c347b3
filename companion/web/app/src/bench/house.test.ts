import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clueBench, clueNames, clueSamples } from '../dev/clue';
import { language } from '../lib/language.svelte';
import TableTop from './TableTop.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(clueNames());
});
afterEach(cleanup);

function lay(sample: string): void {
  const update = clueSamples[sample]!();
  language.learnSeats(update.view.seats);
  render(TableTop, { bench: clueBench(update), update, act: () => undefined });
}

it('draws the board with every pawn, also of suspects whom nobody plays', () => {
  lay('c-move');
  const plan = screen.getByRole('img', { name: /Plan of the manor/ });
  expect(plan.querySelectorAll('ellipse')).toHaveLength(6); // three of them without a seat
  expect(plan.querySelectorAll('.mark').length).toBeGreaterThan(10);
  expect(plan.getAttribute('aria-label')).toMatch(/Pool: .*Miss Scarlett/);
});
it('sorts the box by kind, for the backs are alike and the envelope takes one of each', () => {
  lay('c-dealing');
  const box = document.querySelector('[data-spot="box"]')!;
  expect([...box.querySelectorAll('h3')].map((h) => h.textContent)).toEqual(['Suspects', 'Weapons', 'Rooms']);
  expect(box.querySelectorAll('button.suspect')).toHaveLength(6);
});
it('lets the cards of the pool be taken, and cards be laid in any room', () => {
  lay('c-answer');
  expect(document.querySelectorAll('[data-spot="pool"] button')).toHaveLength(1);
  expect(document.querySelectorAll('.board [data-spot]')).toHaveLength(10);
});
it('says the roll, and the last hypothesis with its answers', () => {
  lay('c-answer');
  expect(screen.getByRole('img', { name: /2 \+ 4/ })).toBeTruthy();
  expect(document.querySelector('.told')?.textContent).toMatch(/Plum.*Spa/);
});
it('shows no roll before the first turn', () => {
  lay('c-dealing');
  expect(document.querySelector('.told')).toBeNull();
});
it('says that the clock is not used where the game counts no hours', () => {
  lay('c-move');
  expect(screen.queryByText('clock, not used here')).toBeNull();
  cleanup();
  const update = clueSamples['c-move']!();
  update.view.clock = { at: 0, of: 0, mark: 0, open: false };
  render(TableTop, { bench: clueBench(update), update, act: () => undefined });
  expect(screen.getByText('clock, not used here')).toBeTruthy();
});
