import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Support } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

function table(minutes?: Support) {
  const u = hostUpdate('running');
  if (!minutes?.making) u.view.offers.push({ act: 'minutes', rule: 'GEN-009', aside: true, params: [{ name: 'lang', kind: 'value', domain: ['fr', 'en'] }] });
  if (minutes) u.desk!.minutes = minutes;
  return u;
}

it('writes the minutes in the language of the page at one tap, and saves them on the device that asked', async () => {
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const onact = vi.fn();
  const page = { state: { is: 'idle' as const }, onact, ondismiss: () => {} };
  const { rerender } = render(Console, { update: table(), ...page });
  await fireEvent.click(screen.getByRole('button', { name: 'Minutes of the game' }));
  expect(onact).toHaveBeenCalledWith('minutes', { lang: 'en' });
  await rerender({ update: table({ making: true }) });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Being written…' }).disabled).toBe(true);
  await rerender({ update: table({ path: '/minutes/ABC' }) });
  const link = screen.getByRole('link', { name: 'Save the minutes' });
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual(['/minutes/ABC', 'minutes.txt']);
  expect(clicks).toHaveBeenCalledTimes(1);
  clicks.mockRestore();
});
