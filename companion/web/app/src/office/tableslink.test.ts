import { cleanup, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

const page = { state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };

it('leads to the page of all tables, in a tab of its own, where there are others', async () => {
  const { unmount } = render(Console, { update: hostUpdate('lobby'), ...page, office: sampleOffice({ tables: true }) });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: language.t('host.tables') });
  expect([link.getAttribute('href'), link.target]).toEqual(['/tables', '_blank']);
  unmount();
  render(Console, { update: hostUpdate('lobby'), ...page, office: sampleOffice({ tables: false }) });
  await tick();
  expect(screen.queryByRole('link', { name: language.t('host.tables') })).toBeNull();
});
