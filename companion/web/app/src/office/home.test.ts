import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';
import type { Args, Home, Update } from '../lib/wire';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const kinds = [{ id: 'tasmota', topic: 'lamp' }, { id: 'look' }, { id: 'free', topic: 'workshop/#' }];
const page = { state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };

/** Opens the page of a table with these accounts; asked is called with every act, and add makes an account. */
async function table(home: Partial<Home> = {}, add: (args: Args) => unknown = () => null, drop: () => unknown = () => null) {
  const asked = vi.fn();
  const office = sampleOffice({ home: { address: '10.42.0.1:1884', kinds, ...home } satisfies Home, 'home-add': add, 'home-drop': drop },
    asked);
  const { rerender } = render(Console, { update: hostUpdate('lobby'), ...page, office });
  await open();
  return { asked, becomes: (update: Update) => rerender({ update, ...page, office }) };
}
const open = async () => {
  await fireEvent.click(await screen.findByRole('button', { name: language.t('host.act.home') }));
  await screen.findByRole('option', { name: language.t('host.home.kind.tasmota') });
};
const field = (label: 'host.home.name' | 'host.home.topic' | 'host.home.topic.table') =>
  screen.getByLabelText<HTMLInputElement>(language.t(label));
const key = () => screen.getByRole<HTMLButtonElement>('button', { name: language.t('host.home.add') });

it('makes an account by its kind, its name and its topic, and shows the password until it is closed', async () => {
  const { asked } = await table({}, ({ name }) => ({ name, word: 'SECRETWORD' }));
  expect(key().disabled).toBe(true);
  await fireEvent.input(field('host.home.name'), { target: { value: 'hall' } });
  await fireEvent.input(field('host.home.topic'), { target: { value: 'hall-1' } });
  await fireEvent.click(key());
  expect(asked).toHaveBeenLastCalledWith('home-add', { name: 'hall', kind: 'tasmota', topic: 'hall-1' });
  expect(await screen.findByText('SECRETWORD')).toBeTruthy();
  expect(field('host.home.name').value).toBe('');
  const choice = screen.getByLabelText<HTMLSelectElement>(language.t('host.home.kind'));
  choice.value = 'look';
  await fireEvent.change(choice);
  expect(screen.queryByLabelText(language.t('host.home.topic'))).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.close') }));
  await open();
  expect(screen.queryByText('SECRETWORD')).toBeNull();
});

it('keeps a name that is refused, and says why beside the key', async () => {
  await table({}, () => new Error('table.home.name'));
  await fireEvent.input(field('host.home.name'), { target: { value: 'l’entrée' } });
  await fireEvent.click(key());
  expect((await screen.findByText(language.t('table.home.name'))).closest('form')).toBe(key().closest('form'));
  expect(field('host.home.name').value).toBe('l’entrée');
});

it('brings the password of another table before the eyes, with what to write there', async () => {
  const seen = vi.fn();
  Element.prototype.scrollIntoView = seen;
  const words = ['FIRSTWORD', 'NEXTWORD'];
  const accounts = [{ name: 'study', kind: 'table', topic: 'study', online: 0 }];
  const { asked } = await table({ kinds: [{ id: 'table', topic: 'study' }, ...kinds], accounts },
    ({ name }) => ({ name, word: words.shift() }));
  await fireEvent.input(field('host.home.name'), { target: { value: 'Study ' } });
  expect(field('host.home.topic.table').value).toBe('study');
  seen.mockClear();
  await fireEvent.click(key());
  expect(asked).toHaveBeenLastCalledWith('home-add', { name: 'study', kind: 'table', topic: 'study' });
  const first = await screen.findByText('FIRSTWORD');
  expect(seen.mock.contexts).toEqual([first.closest('section')]);
  expect(screen.getByText('uplink: mqtt://10.42.0.1:1884')).toBeTruthy();
  const again = language.t('host.home.again');
  await fireEvent.click(screen.getByRole('button', { name: again }));
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.yes', { act: again }) }));
  expect(asked).toHaveBeenLastCalledWith('home-add', { name: 'study', kind: 'table', topic: 'study' });
  const next = await screen.findByText('NEXTWORD');
  expect(seen.mock.contexts.at(-1)).toBe(next.closest('section'));
});

const asks = [{
  name: 'hall',
  kind: 'tasmota',
  topic: 'hall-1',
  online: 1,
  asked: [{ what: 'read', topic: 'cmnd/#', times: 3 }],
  older: 7,
}];

it('tells what an account has asked for in vain, and removes it after a question', async () => {
  const { asked } = await table({ accounts: asks });
  expect(screen.getByText(language.t('host.home.asked.read', { topic: 'cmnd/#', n: 3 }))).toBeTruthy();
  expect(screen.getByText(language.t('host.home.asked.older', { n: 7 }))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.home-drop') }));
  expect(asked).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.yes', { act: language.t('host.act.home-drop') }) }));
  expect(asked.mock.calls).toEqual([['home-drop', { name: 'hall' }]]);
});

it('says at the account why it is not removed', async () => {
  await table({ accounts: asks }, undefined, () => new Error('table.unknown'));
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.home-drop') }));
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.yes', { act: language.t('host.act.home-drop') }) }));
  expect((await screen.findByText(language.t('table.unknown'))).closest('section')).toBe(
    screen.getByRole('heading', { name: 'hall' }).closest('section'),
  );
});

it('closes them, with the password, on a device that locks itself', async () => {
  const { becomes } = await table({}, ({ name }) => ({ name, word: 'SECRETWORD' }));
  await fireEvent.input(field('host.home.name'), { target: { value: 'hall' } });
  await fireEvent.click(key());
  await screen.findByText('SECRETWORD');
  await becomes(hostUpdate('locked'));
  expect(screen.queryByText('SECRETWORD')).toBeNull();
  await becomes(hostUpdate('lobby'));
  expect(screen.queryByText('SECRETWORD')).toBeNull();
  expect(screen.getByRole('button', { name: language.t('host.act.home') })).toBeTruthy();
});
