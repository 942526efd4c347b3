import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { language } from '../lib/language.svelte';
import HowToJoin from './HowToJoin.svelte';

afterEach(cleanup);

it('says how many wait for the host, and who lets them in', async () => {
  language.lang = 'en';
  const props = { address: '', link: 'http://majordome.local/#w=WALL', name: '', lang: 'en' as const, voice: language };
  const { rerender } = render(HowToJoin, props);
  expect(screen.getByRole('status').textContent).toContain('Scan');
  await rerender({ ...props, waiting: 1 });
  expect(screen.getByRole('status').textContent?.trim()).toBe('Somebody is waiting: the host lets you in.');
  await rerender({ ...props, waiting: 3 });
  expect(screen.getByRole('status').textContent?.trim()).toBe('3 are waiting: the host lets them in.');
});
