import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { language } from '../lib/language.svelte';
import type { Offer, Trouble } from '../lib/wire';
import Machine from './Machine.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

const troubles: Trouble[] = [{ about: 'date', said: { fr: 'Pas à l’heure.', en: 'Nobody has set the clock.' }, fix: { fr: '', en: '' } }];
const clock = { act: 'clock', rule: 'GEN-001', aside: true, params: [{ name: 'at', kind: 'text', max: 15 }] } as Offer;

it('a clock that nobody has set takes the time of this device, at one tap', async () => {
  const onact = vi.fn();
  render(Machine, { troubles, clock, busy: false, onact });
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.act.clock') }));
  const [act, args] = onact.mock.calls[0]!;
  expect(act).toBe('clock');
  expect(Math.abs(Number(args.at) - Date.now())).toBeLessThan(60_000);
});

it('one that is set, or cannot be set here, is not offered', () => {
  render(Machine, { troubles, clock: undefined, busy: false, onact: vi.fn() });
  expect(screen.getByRole('button', { name: language.t('host.machine.one', { n: 1 }) })).toBeTruthy();
  expect(screen.queryByRole('button', { name: language.t('host.act.clock') })).toBeNull();
});
