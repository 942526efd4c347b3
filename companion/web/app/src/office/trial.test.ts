import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hosted, hostUpdate } from '../dev/hosts';
import { type Row, sampleOffice } from '../dev/office';
import { offices, operatorSamples } from '../dev/operator';
import { trials } from '../dev/trial';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';
import type { Args } from '../lib/wire';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const still = { state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };

it('shows what each reader sees while they are tried, and ends the trial at one tap', async () => {
  const asked = vi.fn();
  render(Console, { update: hostUpdate('trial'), ...still, office: sampleOffice(trials('trial'), asked) });
  const bars = await screen.findAllByRole<HTMLMeterElement>('meter');
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
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.try.stop') }));
  expect(asked.mock.calls).toEqual([['readers-try', { on: 'no' }]]);
});

/** A sample with its settings open. */
async function open(sample: string, rows: Record<string, Row>, asked?: (row: string, args: Args) => void) {
  const page = render(Console, {
    update: hosted(operatorSamples[sample]!()),
    ...still,
    office: sampleOffice({ ...offices(sample), ...rows }, asked),
  });
  await fireEvent.click(await screen.findByRole('button', { name: language.t('host.act.settings') }));
  return page;
}

it('begins a trial in the box and in the settings, and says there why it does not', async () => {
  const office = sampleOffice({ ...trials('lobby'), 'readers-try': () => new Error('table.unknown') });
  const start = async () => {
    await fireEvent.click(await screen.findByRole('button', { name: language.t('host.try.start') }));
    expect(await screen.findByText(language.t('table.unknown'))).toBeTruthy();
    expect(screen.queryByText(language.t('host.try.how'))).toBeNull();
  };
  const { unmount } = render(Console, { update: hostUpdate('lobby'), ...still, office });
  await fireEvent.click(screen.getByRole('button', { name: new RegExp(language.t('host.step.box')) }));
  await start();
  unmount();
  await open('settings-wrong', { ...trials('lobby'), 'readers-try': () => new Error('table.unknown') });
  await start();
});

it('offers no trial in a game, or where there is no reader', async () => {
  const none = async (sample: string, rows: Record<string, Row>) => {
    const { unmount } = await open(sample, rows);
    await tick();
    expect(screen.getByRole('heading', { name: language.t('host.set.title') })).toBeTruthy();
    expect(screen.queryByRole('button', { name: language.t('host.try.start') })).toBeNull();
    expect(screen.queryByText(language.t('host.try.phones'))).toBeNull();
    unmount();
  };
  await none('settings-game', trials('lobby'));
  await none('settings-wrong', {});
});

it('offers no check of the box where no reader would count it', async () => {
  const u = hostUpdate('empty');
  u.table.readers = {};
  u.view.offers = u.view.offers.filter((o) => o.act !== 'enrol');
  render(Console, { update: u, ...still, office: sampleOffice(offices('settings')) });
  const key = await screen.findByRole('button', { name: language.t('host.set.attached') }); // its step is open already
  expect(screen.queryByRole('button', { name: language.t('host.box.start') })).toBeNull();
  await fireEvent.click(key);
  expect(screen.getByRole('heading', { name: language.t('host.set.title') })).toBeTruthy();
});

it('asks a serial port only at a tap of the host', async () => {
  const asked = vi.fn();
  await open('settings-wrong', {}, asked);
  expect(asked).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.set.ask') }));
  expect(asked.mock.calls).toEqual([['settings-search', { port: '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0' }]]);
});
