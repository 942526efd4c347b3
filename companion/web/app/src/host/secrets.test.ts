import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';

beforeEach(() => {
  localStorage.setItem('majordome:host:game-master', 'open');
  vi.useFakeTimers();
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function open(sample: string, change: (u: ReturnType<typeof hostUpdate>) => void = () => {}) {
  const onact = vi.fn();
  const update = hostUpdate(sample);
  language.learnSeats(update.view.seats);
  change(update);
  render(Console, { update, state: { is: 'idle' as const }, onact, ondismiss: () => {} });
  return onact;
}
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const shown = (): boolean => document.body.textContent?.includes('Urn, from Bruno') === true;

it('says before the game what holds, and offers the other', async () => {
  const onact = open('secrets-choice', (u) => u.view.offers.forEach((o) => o.act === 'secrets' && (o.fixed = { on: 'no' })));
  expect(document.body.textContent).toContain('As it stands, the game master may look at hands and solution');
  await click('Hide secrets from the game master');
  expect(onact.mock.calls).toEqual([['secrets', { on: 'no' }]]);
});

it('asks before it opens, and names the seats that this device plays', async () => {
  const onact = open('unlock');
  await click('See the secrets');
  expect(onact).not.toHaveBeenCalled();
  expect(document.body.textContent).toContain('The whole table will be told');
  await click('Yes: See the secrets');
  expect(onact.mock.calls).toEqual([['unlock-secrets', { phones: '' }]]);
});

it('shows who holds what, and closes at one tap', async () => {
  const onact = open('secrets');
  expect(shown()).toBe(true);
  await click('Close');
  expect(onact.mock.calls).toEqual([['cover-secrets', {}]]);
});

it('covers itself when the window is left, and after a minute without a touch', async () => {
  open('secrets');
  await fireEvent.blur(window);
  expect(shown()).toBe(false);
  await click('Show again');
  expect(shown()).toBe(true);
  await vi.advanceTimersByTimeAsync(59_000);
  await fireEvent.pointerDown(document.body);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(shown()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe(false);
});

it('closes what another device sees, and shows none of it', async () => {
  const onact = open('secrets', (u) => {
    u.view.viewer = 'host';
    delete u.view.secrets;
  });
  expect(document.body.textContent).toContain('Another device of the host sees the secrets.');
  expect(shown()).toBe(false);
  await click('Close');
  expect(onact.mock.calls).toEqual([['cover-secrets', {}]]);
});
