import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { operatorSamples } from '../dev/operator';
import { language } from '../lib/language.svelte';
import Console from './Console.svelte';
import { partsOf } from './model';
import Settings from './Settings.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

it('shows what each reader sees while they are tried, and ends the trial at one tap', () => {
  const onact = vi.fn();
  render(Console, { update: hostUpdate('trial'), state: { is: 'idle' }, onact, ondismiss: () => {} });
  const bars = screen.getAllByRole<HTMLMeterElement>('meter');
  expect(bars.map((b) => [b.getAttribute('aria-label'), b.getAttribute('max'), b.getAttribute('value')])).toEqual([[
    language.t('ui.bench.reader.urn'),
    '100',
    '82',
  ]]); // the one that is measured and answers
  expect(screen.getByText(language.t('host.try.reads', { n: 82, garbled: 7 }))).toBeTruthy();
  expect(screen.getByText('04A1B2C3D4E5F6')).toBeTruthy();
  expect(screen.getByText(language.t('host.try.lost'))).toBeTruthy();
  expect(screen.getByText(/08A1B2C3 will not do: .*a phone, a bank card/)).toBeTruthy();
  expect(screen.getByText(language.t('host.try.phones'))).toBeTruthy();
  screen.getByRole('button', { name: language.t('host.try.stop') }).click();
  expect(onact).toHaveBeenCalledWith('try-readers', { on: 'no' });
});

it('offers no check of the box where no reader would count it', () => {
  const u = hostUpdate('empty');
  u.table.readers = {};
  u.view.offers = u.view.offers.filter((o) => o.act !== 'enrol').concat({ act: 'settings', rule: 'GEN-001', aside: true, fixed: { on: 'yes' } });
  const onact = vi.fn();
  render(Console, { update: u, state: { is: 'idle' }, onact, ondismiss: () => {} });
  expect(screen.queryByRole('button', { name: language.t('host.box.start') })).toBeNull();
  screen.getByRole('button', { name: language.t('host.set.attached') }).click();
  expect(onact).toHaveBeenCalledWith('settings', { on: 'yes' });
});

it('asks a serial port only at a tap of the host', () => {
  const onact = vi.fn();
  const update = operatorSamples['settings-wrong']!();
  render(Settings, { update, settings: update.settings!, offers: [], parts: partsOf([], []), line: { add: () => {} } as never, busy: false, onact });
  expect(onact).not.toHaveBeenCalled();
  screen.getByRole('button', { name: language.t('host.set.ask') }).click();
  expect(onact).toHaveBeenCalledWith('settings-search', { port: '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0' });
});
