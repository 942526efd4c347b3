import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';
import type { Newer } from '../lib/wire';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const said = { fr: 'La version 2 est là.', en: 'Version 2 is here.' };
const fix = { fr: 'La clé USB peut être retirée.', en: 'The stick can be taken out.' };
const page = { state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };

/** Opens the page of a table to which a stick has brought a package; asked is called with every act in its office. */
function table(newer: Newer | null, phase = 'lobby', install: () => unknown = () => null, asked = vi.fn()) {
  render(Console, { update: hostUpdate(phase), ...page, office: sampleOffice({ newer, 'newer-install': install }, asked) });
  return asked;
}
const install = () => screen.findByRole('button', { name: language.t('host.act.newer') });
const yes = () => screen.getByRole('button', { name: language.t('ui.host.yes', { act: language.t('host.act.newer') }) });

it('says what a stick has brought, and installs it after a question', async () => {
  const asked = table({ said, fix, changes: ['One thing.'], sum: 'abc' });
  expect(await screen.findByText('One thing.')).toBeTruthy();
  expect(screen.getByText(/Version 2 is here/)).toBeTruthy();
  await fireEvent.click(await install());
  expect(asked).not.toHaveBeenCalled();
  expect(screen.getByText(language.t('host.sure.newer'))).toBeTruthy();
  await fireEvent.click(yes());
  expect(asked.mock.calls).toEqual([['newer-install', { sum: 'abc' }]]);
});

it('says during a game that it stops', async () => {
  const asked = table({ said, fix, sum: 'abc' }, 'running');
  await fireEvent.click(await install());
  expect(screen.getByText(language.t('host.sure.newer.force'))).toBeTruthy();
  await fireEvent.click(yes());
  expect(asked.mock.calls).toEqual([['newer-install', { sum: 'abc', force: 'yes' }]]);
});

it('says why nothing is installed, beside the key', async () => {
  table({ said, fix, sum: 'abc' }, 'lobby', () => new Error('table.newer.gone'));
  await fireEvent.click(await install());
  await fireEvent.click(yes());
  expect((await screen.findByText(language.t('table.newer.gone'))).closest('section')).toBe((await install()).closest('section'));
});

it('offers no button for what is refused', async () => {
  table({ said, fix });
  expect(await screen.findByText(/Version 2 is here/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: language.t('host.act.newer') })).toBeNull();
});

it('shows nothing where there is nothing to say', async () => {
  table(null);
  await new Promise((done) => setTimeout(done));
  expect(screen.queryByText(language.t('host.newer'))).toBeNull();
});
