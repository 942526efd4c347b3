import { waitFor } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { followHistory, kept, openStep } from './steps';

let leave = (): void => undefined;
afterEach(() => {
  leave();
  history.replaceState(null, '');
});

it('Back goes through the tabs, and not out of the game', async () => {
  const came: string[] = [];
  leave = followHistory('hand', (tab) => came.push(tab));
  const back = () => {
    const before = came.length;
    history.back();
    return waitFor(() => expect(came.length).toBeGreaterThan(before));
  };
  document.body.click(); // the first tap adds the base entry to the history
  openStep('story');
  openStep('story'); // the same tab is no step
  openStep('manor');
  expect(kept()).toBe('manor');
  await back();
  await back();
  expect(came).toEqual(['story', 'hand']);
  await back(); // the page is as at the beginning, and the next tap adds the base entry again
  expect([came.at(-1), kept()]).toEqual(['hand', undefined]);
  document.body.click();
  expect(kept()).toBe('hand');
});
