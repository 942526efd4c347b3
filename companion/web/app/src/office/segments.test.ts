import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { language } from '../lib/language.svelte';
import type { Settings } from '../lib/wire';
import Segments from './Segments.svelte';
import { itemsOf } from './settings';

beforeEach(() => (language.lang = 'fr'));
afterEach(cleanup);

const settings = {
  wrong: 1,
  values: [
    { path: 'strips[0].chip', value: 'ws2812' },
    { path: 'strips[0].segments.clock', value: '0-7' },
    { path: 'strips[1].segments.clock', value: '3' },
  ],
  faults: [{
    about: 'configuration',
    state: 'fault',
    where: 'strips[0].segments.salon',
    said: { fr: 'LED 8 deux fois.', en: 'LED 8 twice.' },
    fix: { fr: 'Changez-la.', en: 'Change it.' },
  }],
} as unknown as Settings;

it('shows the segments of one strip, each with what is wrong with it, and changes, adds and removes them', async () => {
  const onset = vi.fn();
  render(Segments, { path: 'strips[0]', settings, why: undefined, busy: false, onset });
  expect(screen.getByLabelText<HTMLInputElement>('clock').value).toBe('0-7');
  expect(screen.getByLabelText('salon').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toMatch(/LED 8 deux fois\.\s*Changez-la\./);
  await fireEvent.change(screen.getByLabelText('clock'), { target: { value: '7-0 ' } });
  expect(onset).toHaveBeenLastCalledWith('strips[0].segments.clock', '7-0');
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.set.remove.of', { what: 'clock' }) }));
  expect(onset).toHaveBeenLastCalledWith('strips[0].segments.clock', '');
  const add = screen.getByRole<HTMLButtonElement>('button', { name: language.t('host.set.add') });
  await fireEvent.input(screen.getByLabelText(language.t('host.set.segment.name')), { target: { value: 'Salon !' } });
  await fireEvent.input(screen.getByLabelText(language.t('host.set.segment.leds')), { target: { value: '8-10' } });
  expect(add.disabled).toBe(true); // not a name that the file allows
  await fireEvent.input(screen.getByLabelText(language.t('host.set.segment.name')), { target: { value: 'room-salon' } });
  await fireEvent.click(add);
  expect(onset).toHaveBeenLastCalledWith('strips[0].segments.room-salon', '8-10');
  expect(itemsOf(settings, 'strips')[0]).toMatchObject({ wrong: true, faults: [] }); // the fault is shown at the segment
});
