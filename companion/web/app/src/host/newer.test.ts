import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Newer, Update } from '../lib/wire';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const said = { fr: 'La version 2 est là.', en: 'Version 2 is here.' };
const fix = { fr: 'La clé USB peut être retirée.', en: 'The stick can be taken out.' };

function table(newer: Newer, force = false): Update {
  const u = hostUpdate('lobby');
  if (newer.sum) u.view.offers.push({ act: 'newer', rule: 'GEN-001', aside: true, grave: true, fixed: { sum: newer.sum, ...(force ? { force: 'yes' } : {}) } });
  u.newer = newer;
  return u;
}
const page = (onact: () => void) => ({ state: { is: 'idle' as const }, onact, ondismiss: () => {} });

it('says what a stick has brought, and installs it after a question', async () => {
  const onact = vi.fn();
  render(Console, { update: table({ said, fix, changes: ['One thing.'], sum: 'abc' }), ...page(onact) });
  expect(await screen.findByText('One thing.')).toBeTruthy();
  expect(screen.getByText(/Version 2 is here/)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.newer') }));
  expect(onact).not.toHaveBeenCalled();
  expect(screen.getByText(language.t('host.sure.newer'))).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.yes', { act: language.t('host.act.newer') }) }));
  expect(onact).toHaveBeenCalledWith('newer', { sum: 'abc' });
});

it('says during a game that it stops', async () => {
  render(Console, { update: table({ said, fix, sum: 'abc' }, true), ...page(() => {}) });
  await fireEvent.click(await screen.findByRole('button', { name: language.t('host.act.newer') }));
  expect(screen.getByText(language.t('host.sure.newer.force'))).toBeTruthy();
});

it('offers no button for what is refused', async () => {
  render(Console, { update: table({ said, fix }), ...page(() => {}) });
  expect(await screen.findByText(/Version 2 is here/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: language.t('host.act.newer') })).toBeNull();
});
