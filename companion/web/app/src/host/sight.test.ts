import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import type { Update } from '../lib/wire';
import Console from './Console.svelte';

const props = (update: Update) => ({ update, state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} });
const golden = () => screen.getAllByRole('button').filter((b) => b.className.includes('h-main')).map((b) => b.textContent?.trim());

beforeEach(() => {
  localStorage.clear();
  language.learnNames(names);
  language.lang = 'en';
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('names the key to go on at the foot of the page while it is out of sight, and leads there', async () => {
  const far = { top: innerHeight + 10, bottom: innerHeight + 58 } as DOMRect;
  const near = { top: 10, bottom: 58 } as DOMRect;
  const rect = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(far);
  const { container, rerender } = render(Console, props(hostUpdate('pick')));
  await rerender(props(hostUpdate('laying')));
  const key = await screen.findByRole('button', { name: '↕ The clues are laid' });
  const led = vi.fn();
  container.querySelector('.h-main')!.scrollIntoView = led;
  await fireEvent.click(key);
  expect(led).toHaveBeenCalledOnce();
  rect.mockReturnValue(near);
  await fireEvent.scroll(container.querySelector('.page')!);
  expect(screen.queryByRole('button', { name: /^↕/ })).toBeNull();
});

it('shows a game that begins from the head of the page', async () => {
  const { container, rerender } = render(Console, props(hostUpdate('lobby')));
  const page = container.querySelector<HTMLElement>('.page')!;
  page.scrollTo = vi.fn() as typeof page.scrollTo;
  await rerender(props(hostUpdate('laying')));
  expect(page.scrollTo).toHaveBeenCalledWith({ top: 0 });
  await rerender(props(hostUpdate('pick')));
  expect(page.scrollTo).toHaveBeenCalledOnce();
});

it('does not call clues laid that no reader has read, but says how many', async () => {
  const { rerender } = render(Console, props(hostUpdate('laying')));
  expect(golden()).toEqual(['The clues are laid']);
  const some = hostUpdate('laying');
  some.view.places.forEach((p, i) => (p.cards = i < 4 ? 5 : 0));
  await rerender(props(some));
  await tick();
  expect(golden()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Laid, but not read: 19 of 39' })).toBeTruthy();
});
