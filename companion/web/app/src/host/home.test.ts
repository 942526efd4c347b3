import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Home, Update } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const kinds = [{ id: 'tasmota', topic: 'lamp' }, { id: 'look' }, { id: 'free', topic: 'workshop/#' }];

function table(home: Home): Update {
  const u = hostUpdate('lobby');
  u.view.offers.push({ act: 'home', rule: 'GEN-001', aside: true, fixed: { on: home.open ? 'no' : 'yes' } });
  u.home = home;
  return u;
}

it('makes an account by its kind, its name and its topic, and shows the password while it is there', async () => {
  const onact = vi.fn();
  const page = { state: { is: 'idle' as const }, onact, ondismiss: () => {} };
  const { rerender } = render(Console, { update: table({ open: false }), ...page });
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.home') }));
  expect(onact).toHaveBeenLastCalledWith('home', { on: 'yes' });
  await rerender({ update: table({ open: true, kinds }) });
  const add = screen.getByRole<HTMLButtonElement>('button', { name: language.t('host.home.add') });
  expect(add.disabled).toBe(true);
  await fireEvent.input(screen.getByLabelText(language.t('host.home.name')), { target: { value: 'hall' } });
  await fireEvent.input(screen.getByLabelText(language.t('host.home.topic')), { target: { value: 'hall-1' } });
  await fireEvent.click(add);
  expect(onact).toHaveBeenLastCalledWith('home-add', { name: 'hall', kind: 'tasmota', topic: 'hall-1' });
  await rerender({ update: table({ open: true, kinds, name: 'hall', word: 'SECRETWORD', address: '10.42.0.1:1884' }) });
  expect(screen.getByText('SECRETWORD')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(language.t('host.home.name')).value).toBe('');
  const choice = screen.getByLabelText<HTMLSelectElement>(language.t('host.home.kind'));
  choice.value = 'look';
  await fireEvent.change(choice);
  expect(screen.queryByLabelText(language.t('host.home.topic'))).toBeNull();
});

it('brings the password of another table before the eyes, with what to write there', async () => {
  const onact = vi.fn();
  const seen = vi.fn();
  Element.prototype.scrollIntoView = seen;
  const page = { state: { is: 'idle' as const }, onact, ondismiss: () => {} };
  const { rerender } = render(Console, { update: table({ open: true, kinds: [{ id: 'table', topic: 'study' }] }), ...page });
  await fireEvent.input(screen.getByLabelText(language.t('host.home.name')), { target: { value: 'Study ' } });
  expect(screen.getByLabelText<HTMLInputElement>(language.t('host.home.topic.table')).value).toBe('study');
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.home.add') }));
  expect(onact).toHaveBeenLastCalledWith('home-add', { name: 'study', kind: 'table', topic: 'study' });
  seen.mockClear();
  const accounts = [{ name: 'study', kind: 'table', topic: 'study', online: 0 }];
  await rerender({ update: table({ open: true, kinds, accounts, name: 'study', word: 'FIRSTWORD', address: '10.42.0.1:1884' }), ...page });
  expect(seen.mock.contexts).toEqual([screen.getByText('FIRSTWORD').closest('section')]);
  expect(screen.getByText('uplink: mqtt://10.42.0.1:1884')).toBeTruthy();
  await rerender({ update: table({ open: true, kinds, accounts, name: 'study', word: 'NEXTWORD', address: '10.42.0.1:1884' }), ...page });
  expect(seen.mock.contexts.at(-1)).toBe(screen.getByText('NEXTWORD').closest('section'));
});

it('tells what an account has asked for in vain, and removes it after a question', async () => {
  const onact = vi.fn();
  const accounts = [{ name: 'hall', kind: 'tasmota', topic: 'hall-1', online: 1, asked: [{ what: 'read', topic: 'cmnd/#', times: 3 }], older: 7 }];
  render(Console, { update: table({ open: true, kinds, accounts }), state: { is: 'idle' }, onact, ondismiss: () => {} });
  expect(screen.getByText(language.t('host.home.asked.read', { topic: 'cmnd/#', n: 3 }))).toBeTruthy();
  expect(screen.getByText(language.t('host.home.asked.older', { n: 7 }))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.home-drop') }));
  expect(onact).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.yes', { act: language.t('host.act.home-drop') }) }));
  expect(onact).toHaveBeenCalledWith('home-drop', { name: 'hall' });
});
