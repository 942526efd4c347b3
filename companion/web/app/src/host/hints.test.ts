import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';

beforeEach(() => {
  localStorage.setItem('majordome:host:game-master', 'open');
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

function open(change: (u: ReturnType<typeof hostUpdate>) => void = () => {}) {
  const onact = vi.fn();
  const update = hostUpdate('hints');
  language.learnSeats(update.view.seats);
  change(update);
  render(Console, { update, state: { is: 'idle' as const }, onact, ondismiss: () => {} });
  return onact;
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

it('gives the host’s own words to whom it chooses, and to all unless it does', async () => {
  const onact = open();
  const field = screen.getByLabelText('Your words');
  await fireEvent.input(field, { target: { value: ' Under the bed ' } });
  await click('Give · All, and the display');
  await click('The display alone');
  await fireEvent.input(field, { target: { value: 'Look' } });
  await click('Give · The display alone');
  expect(onact.mock.calls).toEqual([['hint', { to: 'all', text: 'Under the bed' }], ['hint', { to: 'display', text: 'Look' }]]);
});

it('keeps a typed hint until it is given: one that is refused stays to be mended', async () => {
  const onact = vi.fn();
  const update = hostUpdate('hints');
  language.learnSeats(update.view.seats);
  const page = { onact, ondismiss: () => {} };
  const { rerender } = render(Console, { update, state: { is: 'idle' as const }, ...page });
  const field = screen.getByLabelText<HTMLInputElement>('Your words');
  await fireEvent.input(field, { target: { value: ' Under the bed ' } });
  await click('Give · All, and the display');
  const reject = { code: 'not-now', rule: 'GEN-001', why: { k: 'table.hint.spent' } };
  await rerender({ update: structuredClone(update), state: { is: 'refused', act: 'hint', reject } as never, ...page });
  expect(field.value).toBe(' Under the bed ');
  await click('Give · All, and the display');
  const given = structuredClone(update);
  given.desk!.hints!.sent!.push({ n: 99, to: 'all', by: 'host', text: { fr: 'Under the bed', en: '' }, ago: 0 });
  await rerender({ update: given, state: { is: 'idle' as const }, ...page });
  expect(field.value).toBe('');
});

it('answers who asks, from the stock at one tap, or with no hint', async () => {
  const onact = open();
  expect(document.body.textContent).toContain('Bruno has asked for a hint, 3 min ago.');
  await click('Answer');
  await click('Hints that stand ready (2)');
  await click(/To observe a search/);
  await click('Not now');
  expect(onact.mock.calls).toEqual([['hint', { to: 'seat-2', stock: 'huis-clos-2' }], ['hint-no', { seat: 'seat-2' }]]);
});

it('counts no minutes of who asked just now', () => {
  open((u) => (u.desk!.hints!.asked![0]!.since = 59_000));
  expect(document.body.textContent).toContain('Bruno asks for a hint.');
});

it('takes the newest hint back first, in the words in which it was given, and counts', async () => {
  const onact = open();
  expect(document.body.textContent).toContain('given: 2');
  expect(document.body.textContent).toContain('Cherchez sous le lit.');
  await fireEvent.click(screen.getAllByRole('button', { name: 'Take back' })[0]!);
  await click('Hints in a game: 3 at most');
  await click('5 at most');
  expect(onact.mock.calls).toEqual([['hint-back', { n: '2' }], ['hints', { most: '5' }]]);
});

it('says when all hints are given, and offers none', () => {
  open((u) => (u.view.offers = u.view.offers.filter((o) => o.act !== 'hint')));
  expect(document.body.textContent).toContain('All the hints of this game have been given.');
  expect(screen.queryByLabelText('Your words')).toBeNull();
});

it('says how many hints were given, and of how many where they are limited', () => {
  for (const [most, says] of [['5', 'given: 2 of 5'], ['free', 'given: 2']] as const) {
    open((u) => Object.assign(u.desk!.hints!, { most, given: 2 }));
    expect(screen.getByRole('heading', { name: /^Hints/ }).textContent).toMatch(new RegExp(`${says}$`));
    cleanup();
  }
});

it('lets the host choose how many there are before the game, and says what they are', async () => {
  const onact = open((u) => {
    u.view.phase = 'lobby';
    u.view.offers = u.view.offers.filter((o) => !o.act.startsWith('hint-') && o.act !== 'hint');
    u.desk!.hints = { most: '3', given: 0 };
  });
  expect(document.body.textContent).toContain('A sentence of yours that helps.');
  expect(document.body.textContent).not.toContain('All the hints of this game have been given.');
  await click('Hints in a game: 3 at most');
  await click('no limit');
  expect(onact.mock.calls).toEqual([['hints', { most: 'free' }]]);
});
