import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const open = (phase?: string) => {
  const update = hostUpdate('lost');
  if (phase) update.view.phase = phase;
  render(Console, { update, state: { is: 'idle' }, onact: () => {}, ondismiss: () => {} });
};

it('says once that the game is paused', () => {
  open();
  expect(document.body.textContent?.match(/the game is paused/gi)).toHaveLength(1);
});

it('asks for nothing but the choice while a game that had not begun waits for it', () => {
  open('lobby');
  expect(screen.getByRole('heading', { name: language.t('host.lost.title') })).toBeTruthy();
  expect(screen.queryByRole('button', { name: language.t('ui.act.begin') })).toBeNull();
});
