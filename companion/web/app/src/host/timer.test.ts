import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';
import { panelsOf } from './model';
import Timer from './Timer.svelte';

const onact = vi.fn();
beforeEach(() => {
  localStorage.setItem('majordome:host:game-master', 'open');
  language.lang = 'en';
  onact.mockClear();
});
afterEach(cleanup);
const open = (sample: string): void => {
  const update = hostUpdate(sample);
  const { countdown } = panelsOf(update.view.offers, update.view.active);
  render(Timer, { update, timing: update.desk!.timing!, offers: countdown, busy: false, onact });
};
const tap = (name: string, n = 0): Promise<unknown> => fireEvent.click(screen.getAllByRole('button', { name })[n]!);

it('gives and takes time, says it or not, and charges for help', async () => {
  open('timer');
  expect(screen.getByRole('timer').textContent.trim()).toBe('12:34');
  await tap('−5 min');
  await tap('+1 min', 1);
  await tap('What costs time');
  await tap('120 s', 1);
  expect(onact.mock.calls).toEqual([
    ['countdown-add', { seconds: '-300' }],
    ['countdown-add', { seconds: '60', bonus: 'yes' }],
    ['countdown-fines', { for: 'wrong', seconds: '120' }],
  ]);
});

it('gives more time when it is up', async () => {
  open('timer-over');
  await tap('30 min');
  expect(onact.mock.calls).toEqual([['countdown', { minutes: '30' }]]);
});

it('is chosen in the lobby for each game', async () => {
  open('timer-lobby');
  expect(screen.getByRole('button', { name: '60 min' }).getAttribute('aria-pressed')).toBe('true');
  await tap('none');
  expect(onact.mock.calls).toEqual([['countdown', { minutes: '0' }]]);
});

it('is there for the next group while its box is filled, and not while one is counted', () => {
  const update = hostUpdate('lobby');
  update.desk!.timing ??= { minutes: 60, hint: 0, wrong: 0 };
  update.view.offers.push({
    act: 'countdown',
    rule: 'GEN-001',
    aside: true,
    params: [{ name: 'minutes', kind: 'value', domain: ['0', '60'] }],
  });
  for (const gate of [true, false]) {
    update.box = { kinds: [], missing: [], foreign: 0, gate, since: 0 };
    render(Console, { update: structuredClone(update), state: { is: 'idle' as const }, onact, ondismiss: () => {} });
    expect(screen.queryAllByRole('heading', { name: language.t('host.count') })).toHaveLength(gate ? 1 : 0);
    cleanup();
  }
});
