import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { language } from '../lib/language.svelte';
import Count from './Count.svelte';

afterEach(cleanup);

// The countdown once had these words of the count.
it('says how cards are counted, and nothing of time', () => {
  language.lang = 'en';
  language.learnNames(names);
  render(Count, { update: hostUpdate('count'), busy: false, ondo: () => undefined, inGame: 39 });
  expect(screen.getByText(/^Count without looking at the faces/)).toBeTruthy();
});
