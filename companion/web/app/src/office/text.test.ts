import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const page = { state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };

it.each(
  [
    ['lobby', 'support', 'host.act.support', {}, 'host.support.save'],
    ['running', 'minutes', 'host.act.minutes', { lang: 'en' }, 'host.minutes.save'],
  ] as const,
)('in the %s saves %s at one tap on the device that asked', async (sample, row, key, args, save) => {
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const blobs = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  const asked = vi.fn();
  const office = sampleOffice({ [row]: () => ({ file: `${row}.txt`, text: 'what it says' }) }, asked);
  render(Console, { update: hostUpdate(sample), ...page, office });
  await fireEvent.click(screen.getByRole('button', { name: language.t(key) }));
  const link = await screen.findByRole('link', { name: language.t(save) });
  expect(link.getAttribute('download')).toBe(`${row}.txt`);
  expect(link.getAttribute('href')).toBe('blob:x');
  expect(await (blobs.mock.calls[0]![0] as Blob).text()).toBe('what it says');
  expect(asked.mock.calls).toEqual([[row, args]]);
  expect(clicks).toHaveBeenCalledTimes(1);
  expect(screen.getByText(language.t('host.saved'))).toBeTruthy();
  clicks.mockRestore();
  blobs.mockRestore();
});

it('says why there is no text', async () => {
  render(Console, { update: hostUpdate('running'), ...page, office: sampleOffice({ minutes: () => new Error('table.scene') }) });
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.minutes') }));
  expect(await screen.findByText(language.t('table.scene'))).toBeTruthy();
  expect(screen.queryByRole('link', { name: language.t('host.minutes.save') })).toBeNull();
});

it('offers a text for who helps in a pause, too, and none to whom the office has none for', () => {
  const u = hostUpdate('lobby');
  u.paused = { k: 'table.paused.full' };
  u.lost = [{ k: 'table.paused.lost' }];
  const { unmount } = render(Console, { update: u, ...page, office: sampleOffice({ support: () => null }) });
  expect(screen.getByRole('button', { name: language.t('host.act.support') })).toBeTruthy();
  unmount();
  render(Console, { update: u, ...page, office: sampleOffice({}) });
  expect(screen.queryByRole('button', { name: language.t('host.act.support') })).toBeNull();
});
