import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hosted, hostUpdate } from '../dev/hosts';
import { type Row, sampleOffice } from '../dev/office';
import { offices, operatorSamples } from '../dev/operator';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';
import type { Update, Walk } from '../lib/wire';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const page = { state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {} };
const place: Walk = {
  asks: { k: 'host.walk.place', a: { strip: '1', part: 'place-salon' } },
  strips: [{ lost: false, frames: 1234, losses: 1 }, { lost: true, frames: 0, losses: 2 }],
};
const question = () => language.t('host.walk.place', { strip: '1', part: 'place-salon' });

/** Opens the page with these rows; asked is called with every act. */
function open(update: Update, rows: Record<string, Row>) {
  const asked = vi.fn();
  const { unmount } = render(Console, { update, ...page, office: sampleOffice(rows, asked) });
  return { asked, unmount };
}
/** Opens the page with these rows and the settings of a sample. */
async function openSettings(sample: string, rows: Record<string, Row>) {
  const page = open(hosted(operatorSamples[sample]!()), { ...offices(sample), ...rows });
  await fireEvent.click(await screen.findByRole('button', { name: language.t('host.act.settings') }));
  return page;
}
const key = (words: 'host.act.walk' | 'host.walk.next' | 'host.act.walk-end') => screen.findByRole('button', { name: language.t(words) });

it('asks about each light in its place, with the answer below it, and once only', async () => {
  const { asked } = open(hostUpdate('lobby'), {
    walk: place,
    'walk-next': () => ({ asks: { k: 'host.walk.urn', a: { strip: '1' } } }),
    'walk-end': () => ({}),
  });
  expect(await screen.findAllByText(question())).toHaveLength(1);
  expect(screen.getByText(language.t('host.strip', { n: 1, frames: 1234, losses: 1 }))).toBeTruthy();
  expect(screen.getByText(language.t('host.strip.lost', { n: 2 }))).toBeTruthy();
  expect(screen.queryByRole('button', { name: language.t('host.box.start') })).toBeNull();
  await fireEvent.click(await key('host.walk.next'));
  expect(await screen.findByText(language.t('host.walk.urn', { strip: '1' }))).toBeTruthy(); // at once with the light
  expect(screen.queryByText(question())).toBeNull();
  await fireEvent.click(await key('host.act.walk-end'));
  await vi.waitFor(() => expect(screen.queryByText(language.t('host.walk.urn', { strip: '1' }))).toBeNull(), 20_000);
  expect(asked.mock.calls).toEqual([['walk-next', {}], ['walk-end', {}]]);
});

it('begins in the box and in the settings, and says there why it does not', async () => {
  const rows = { walk: {}, 'walk-next': () => new Error('table.unknown') };
  const start = async () => {
    await fireEvent.click(await key('host.act.walk'));
    expect(await screen.findByText(language.t('table.unknown'))).toBeTruthy();
    expect(screen.queryByRole('button', { name: language.t('host.act.walk-end') })).toBeNull();
  };
  const { unmount } = open(hostUpdate('lobby'), rows);
  await fireEvent.click(screen.getByRole('button', { name: new RegExp(language.t('host.step.box')) }));
  await start();
  unmount();
  await openSettings('settings-wrong', rows);
  await start();
});

it('offers no walk in a game, or where nothing is lit', async () => {
  const none = async (sample: string, rows: Record<string, Row>) => {
    const { unmount } = await openSettings(sample, rows);
    await tick();
    expect(screen.getByRole('heading', { name: language.t('host.set.title') })).toBeTruthy();
    expect(screen.queryByRole('button', { name: language.t('host.act.walk') })).toBeNull();
    unmount();
  };
  await none('settings-game', { walk: {} });
  await none('settings-wrong', {});
});
