import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hosted } from '../dev/hosts';
import { type Row, sampleOffice } from '../dev/office';
import { operatorSamples } from '../dev/operator';
import Console from '../host/Console.svelte';
import { language } from '../lib/language.svelte';
import type { Settings, Update } from '../lib/wire';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const button = (key: Parameters<typeof language.t>[0]) => screen.queryByRole<HTMLButtonElement>('button', { name: language.t(key) });
const fault = { about: 'configuration', state: 'fault', where: 'calm', said: { fr: 'Non.', en: 'No.' }, fix: { fr: '', en: '' } };

/** Opens the page of a host with these settings; each act is answered with the next ones. */
function page(sample: string, settings: Partial<Settings>, rows: Record<string, Row> = {}, update: (u: Update) => void = () => {}) {
  const asked = vi.fn();
  const u = hosted(operatorSamples[sample]!());
  update(u);
  const onact = vi.fn();
  render(Console, {
    update: u,
    state: { is: 'idle' as const },
    onact,
    ondismiss: () => {},
    office: sampleOffice({ settings: { wrong: 0, ...settings }, 'settings-close': () => null, ...rows }, asked),
  });
  return { asked, onact };
}
async function opened(...of: Parameters<typeof page>) {
  const all = page(...of);
  await fireEvent.click(await screen.findByRole('button', { name: language.t('host.act.settings') }));
  return all;
}

it('says how much is wrong, and opens on this device alone', async () => {
  const { asked, onact } = page('settings', { wrong: 2 });
  expect(await screen.findByText(language.t('host.set.wrong', { n: 2 }))).toBeTruthy();
  await fireEvent.click(button('host.act.settings')!);
  expect(screen.getByRole('heading', { name: language.t('host.set.title') })).toBeTruthy();
  expect(asked).not.toHaveBeenCalled();
  await fireEvent.click(button('ui.host.close')!);
  expect(screen.queryByRole('heading', { name: language.t('host.set.title') })).toBeNull();
  expect(asked.mock.calls).toEqual([['settings-close', {}]]);
  expect(onact).not.toHaveBeenCalled();
});

it('is not there for who may not, while something is lost, or, to be opened, in a pause', async () => {
  const gone = async (update: (u: Update) => void, rows: Record<string, Row> = {}) => {
    page('settings', {}, rows, update);
    await tick();
    await tick();
    expect(button('host.act.settings')).toBeNull();
    cleanup();
  };
  await gone(() => {}, { settings: null });
  await gone((u) => (u.paused = { k: 'table.paused.host' }));
  await gone((u) => (u.lost = [{ k: 'table.lost.tags', a: { n: '2' } }]));
});

it('shows at once what an act has made of them', async () => {
  const { asked } = await opened('settings', {}, {
    'settings-set': () => ({ wrong: 0, changes: 1, values: [{ path: 'site', value: 'salon' }] }),
    'settings-keep': () => ({ wrong: 0, values: [{ path: 'site', value: 'salon' }] }),
  });
  expect(button('host.act.settings-keep')).toBeNull();
  await fireEvent.change(screen.getByRole('textbox', { name: /^site/ }), { target: { value: ' salon ' } });
  expect(await screen.findByText(language.t('host.set.changes.one'))).toBeTruthy();
  await fireEvent.click(button('host.act.settings-keep')!);
  expect(await screen.findByText(language.t('host.set.kept'))).toBeTruthy();
  expect(asked.mock.calls).toEqual([['settings-set', { path: 'site', value: 'salon' }], ['settings-keep', {}]]);
});

it('says beside the field why its value is refused', async () => {
  await opened('settings', {}, { 'settings-set': () => new Error('table.unknown'), 'settings-add': () => new Error('table.busy') });
  await fireEvent.change(screen.getByRole('textbox', { name: /^site/ }), { target: { value: 'x' } });
  expect((await screen.findByText(language.t('table.unknown'))).closest('.setting')?.querySelector('code')?.textContent).toBe('site');
  await fireEvent.click(screen.getAllByRole('button', { name: language.t('host.set.add') })[0]!);
  expect((await screen.findByText(language.t('table.busy'))).closest('section')?.querySelector('h2')?.textContent).toBe(
    language.t('host.set.readers'),
  );
});

it('keeps no fault, but a device that may come', async () => {
  await opened('settings', { changes: 1, wrong: 1, faults: [fault] });
  expect(button('host.act.settings-keep')!.disabled).toBe(true);
  expect(button('host.act.settings-drop')!.disabled).toBe(false);
  cleanup();
  await opened('settings', { changes: 1, wrong: 1, faults: [{ ...fault, state: 'warning' }] });
  expect(button('host.act.settings-keep')!.disabled).toBe(false);
});

it('looks for devices before a game, one search at a time, and applies in one what waits', async () => {
  const { asked } = await opened('settings', {}, { 'settings-search': () => ({ wrong: 0, search: true }) });
  await fireEvent.click(button('host.act.settings-search')!);
  expect(await screen.findByText(language.t('host.set.searching'))).toBeTruthy();
  expect(button('host.act.settings-search')).toBeNull();
  expect(asked.mock.calls).toEqual([['settings-search', {}]]);
  expect(button('host.act.settings-apply')).toBeNull();
  cleanup();

  const game = page('settings-game', { restart: true, changes: 1 }, { 'settings-apply': () => ({ wrong: 0 }) });
  expect(await screen.findByRole('button', { name: language.t('host.act.settings-apply') })).toBeTruthy(); // closed, too
  await fireEvent.click(button('host.act.settings')!);
  expect(button('host.act.settings-search')).toBeNull();
  await fireEvent.click(button('host.act.settings-apply')!);
  expect(game.asked).not.toHaveBeenCalled(); // it is asked for twice
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.yes', { act: language.t('host.act.settings-apply') }) }));
  expect(game.asked.mock.calls).toEqual([['settings-apply', {}]]);
});

it('says which file a setting comes from, and gives it back to the owner’s with one tap', async () => {
  const values = [{ path: 'site', value: 'salon', layer: 'page' }, { path: 'table', value: 'one', layer: 'hand' }, {
    path: 'calm',
    value: 'true',
    layer: 'page',
  }];
  const over = [{ path: 'site', value: 'grenier', layer: 'hand' }, { path: 'readers', value: 'urn, show', layer: 'hand' }];
  const { asked } = await opened('settings', { values, over, file: '/a.yaml', page: '/a.page.yaml' }, {
    'settings-give-back': () => ({ wrong: 0, changes: 1, values: [{ path: 'site', value: 'grenier', layer: 'hand' }] }),
  });
  expect(screen.getByText(language.t('host.set.file', { file: '/a.yaml', page: '/a.page.yaml' }))).toBeTruthy();
  expect(screen.getByText(language.t('host.set.over', { value: 'grenier' }))).toBeTruthy();
  expect(screen.getByText(language.t('host.set.over', { value: 'urn, show' })).closest('section')?.querySelector('h2')?.textContent).toBe(
    language.t('host.set.readers'),
  );
  expect(screen.getAllByText(language.t('host.set.layer.hand'))).toHaveLength(1);
  expect(screen.getAllByText(language.t('host.set.layer.page'))).toHaveLength(1);
  await fireEvent.click(screen.getByRole('button', { name: `${language.t('host.act.settings-give-back')} : site` }));
  expect(await screen.findByText(language.t('host.set.changes.one'))).toBeTruthy();
  expect(screen.queryByText(language.t('host.set.over', { value: 'grenier' }))).toBeNull();
  expect(asked.mock.calls).toEqual([['settings-give-back', { path: 'site' }]]);
});

it('changes nothing that the environment sets', async () => {
  await opened('settings', {
    values: [{ path: 'site', value: 'salon', env: 'MAJORDOME_SITE' }],
    over: [{ path: 'site', value: 'grenier' }],
  });
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^site/ }).disabled).toBe(true);
  expect(screen.getByText(language.t('host.set.env', { name: 'MAJORDOME_SITE' }))).toBeTruthy();
});
