import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

const show = (change: (u: Update) => void = () => {}) => {
  const onact = vi.fn();
  const update = hostUpdate('ill');
  change(update);
  render(Console, { update, state: { is: 'idle' }, onact, ondismiss: vi.fn() });
  return onact;
};
const news = (): string => document.querySelector('.news')?.textContent ?? '';
const fold = () => screen.queryByRole('button', { name: language.t('host.machine') });
const card = (u: Update) => u.machine!.find((t) => t.about === 'card')!;

it('a clock that nobody has set takes the time of this device, at one tap, above all the rest', async () => {
  const onact = show();
  const button = screen.getByRole('button', { name: language.t('host.act.clock') });
  expect(button.closest('div')?.previousElementSibling?.className).toContain('news');
  expect(button.closest('div')?.textContent).toContain('Nobody has set the clock');
  await fireEvent.click(button);
  const [act, args] = onact.mock.calls.at(-1)!;
  expect(act).toBe('clock');
  expect(Math.abs(Number(args.at) - Date.now())).toBeLessThan(60_000);
});

it('each trouble leads to its place in the manual, in a tab of its own', async () => {
  show();
  await fireEvent.click(fold()!);
  const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: language.t('host.manual.at') });
  expect(links.map((a) => a.getAttribute('href'))).toEqual([
    '/help/en/trouble.html#disk',
    '/help/en/trouble.html#card-file',
    '/help/en/trouble.html#date',
    '/help/en/trouble.html#heat',
  ]);
  expect(links.every((a) => a.target === '_blank')).toBe(true);
});

it('one that is set, or cannot be set here, is not offered: what is said of it stands with the rest', async () => {
  show((u) => (u.view.offers = u.view.offers.filter((o) => o.act !== 'clock')));
  expect(screen.queryByRole('button', { name: language.t('host.act.clock') })).toBeNull();
  await fireEvent.click(fold()!);
  expect(screen.getByText(/Nobody has set the clock/)).toBeTruthy();
});

it('a card that is not understood stands among the news before the game, and with the rest in it', async () => {
  let said = '';
  show((u) => (said = card(u).said.en));
  expect(news()).toContain(said);
  await fireEvent.click(fold()!);
  expect(screen.getAllByText(new RegExp(said.slice(0, 30)))).toHaveLength(1);
  cleanup();
  show((u) => (u.view = { ...hostUpdate('running').view, game: u.view.game }));
  expect(news()).not.toContain(said);
});

it('counts no things where some stand for several', () => {
  show();
  expect(fold()?.textContent).not.toMatch(/\d/);
});

it('which version this is stands at its foot, with the way to what is new', () => {
  show();
  const last = [...document.querySelectorAll('main a')].at(-1);
  expect(last?.textContent).toMatch(/Majordome \d+\.\d+/);
  expect(last?.getAttribute('href')).toBe('/help/en/changes.html');
});
