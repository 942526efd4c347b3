import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Support, Update } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

function table(support?: Support): Update {
  const u = hostUpdate('lobby');
  if (!support?.making) u.view.offers.push({ act: 'support', rule: 'GEN-001', aside: true });
  if (support) u.support = support;
  return u;
}

it('saves the file for who helps at one tap, on the device that asked for it alone', async () => {
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const onact = vi.fn();
  const page = { state: { is: 'idle' as const }, onact, ondismiss: () => {} };
  const path = '/support/ABC';
  const { rerender } = render(Console, { update: table(), ...page });
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.support') }));
  expect(onact).toHaveBeenCalledWith('support', {});
  await rerender({ update: table({ making: true }) });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: language.t('host.support.making') }).disabled).toBe(true);
  await rerender({ update: table({ path }) });
  const link = screen.getByRole('link', { name: language.t('host.support.save') });
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([path, 'majordome.txt']);
  expect(clicks).toHaveBeenCalledTimes(1);
  await rerender({ update: table() });
  await rerender({ update: table({ path }) }); // another device has asked
  expect(clicks).toHaveBeenCalledTimes(1);
  clicks.mockRestore();
});

it('offers it in a pause, too', () => {
  const u = table();
  u.paused = { k: 'table.paused.full' };
  u.lost = [{ k: 'table.paused.lost' }];
  render(Console, { update: u, state: { is: 'idle' }, onact: () => {}, ondismiss: () => {} });
  expect(screen.getByRole('button', { name: language.t('host.act.support') })).toBeTruthy();
});
