import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, it } from 'vitest';
import { language } from '../lib/language.svelte';
import ConfirmButton from './ConfirmButton.svelte';

it('asks under the name that it shows, acts at the second tap, and lets go when it is left', async () => {
  language.lang = 'en';
  let acts = 0;
  render(ConfirmButton, { label: 'Cut off', whom: 'Bruno', busy: false, onact: () => acts++ });
  const key = screen.getByRole('button');
  expect([key.textContent.trim(), key.getAttribute('aria-label')]).toEqual(['Cut off', 'Cut off : Bruno']);
  await fireEvent.click(key);
  expect([acts, key.textContent.trim(), key.getAttribute('aria-label')]).toEqual([0, 'Really?', 'Really? : Bruno']);
  (document.activeElement as HTMLElement).blur(); // it has the focus, wherever that is not given by a tap
  await tick();
  expect(key.textContent.trim()).toBe('Cut off');
  for (let i = 0; i < 2; i++) await fireEvent.click(key);
  expect([acts, key.textContent.trim()]).toEqual([1, 'Cut off']);
});
