import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

it('asks about each light in its place, with the answer below it, and once only', () => {
  const onact = vi.fn();
  const update = hostUpdate('lobby');
  update.view.offers.push({ act: 'walk', rule: 'GEN-001', aside: true }, { act: 'walk-end', rule: 'GEN-001', aside: true });
  update.notice = { n: 3, msg: { k: 'host.walk.place', a: { strip: '1', part: 'place-salon' } }, passing: true };
  update.strips = [{ lost: false, frames: 1234, losses: 1 }, { lost: true, frames: 0, losses: 2 }];
  render(Console, { update, state: { is: 'idle' }, onact, ondismiss: () => {} });
  const question = language.t('host.walk.place', { strip: '1', part: 'place-salon' });
  expect(screen.getAllByText(question)).toHaveLength(1);
  expect(screen.getByText(language.t('host.strip', { n: 1, frames: 1234, losses: 1 }))).toBeTruthy();
  expect(screen.getByText(language.t('host.strip.lost', { n: 2 }))).toBeTruthy();
  screen.getByRole('button', { name: language.t('host.walk.next') }).click();
  expect(onact).toHaveBeenCalledWith('walk', {});
  screen.getByRole('button', { name: language.t('host.act.walk-end') }).click();
  expect(onact).toHaveBeenCalledWith('walk-end', {});
});
