import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleOffice } from '../dev/office';
import { venueOf } from '../dev/venues';
import { language } from '../lib/language.svelte';
import type { Args, OfficeRequest } from '../lib/wire';
import { actLine, chooseTables, consoleOf, needLines, roundCounts, shortName, sinceLine } from './venue';
import Floor from './Floor.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

it('chooses tables by filter, group and name, in their order', () => {
  const { all } = venueOf(12);
  const names = (...of: Parameters<typeof chooseTables> extends [unknown, ...infer R] ? R : never) =>
    chooseTables(all, ...of).map((t) => t.name);
  expect(names('wants')).toEqual(['salle-8', 'salle-3', 'salle-1', 'salle-10']);
  expect(names('away')).toEqual(['salle-10', 'salle-6']);
  expect(names('all', 'Étage', ' SALLE-1 ')).toEqual(['salle-10', 'salle-12']);
  expect(names('playing').length + names('free').length + names('away').length).toBe(12);
});

it('says why a table wants somebody, the most urgent first, and since when', () => {
  const now = Date.now();
  const { all } = venueOf(12, now);
  expect(needLines(all[0]!, language)).toEqual([language.t('host.venue.need.alarm'), language.t('host.tables.paused')]);
  expect(sinceLine(all[0]!, now, language)).toBe('for 1 min');
  expect(needLines(all[3]!, language)).toEqual([language.t('host.venue.need.line')]);
  expect(sinceLine({ ...all[0]!, since: now }, now, language)).toBe('');
  expect([shortName('t300'), shortName('salle-117')]).toEqual(['t300', '…e-117']);
});

it('says what has become of an act', () => {
  const t = venueOf(1).all[0]!;
  const act = { round: 3, act: 'pause', by: 'Odile' };
  expect(actLine({ ...t, act: { ...act, state: 'omitted', why: { fr: 'non', en: 'It is so already.' } } }, language)).toBe(
    'Pause: the table refuses. It is so already.',
  );
  for (const state of ['pending', 'done', 'unknown']) expect(actLine({ ...t, act: { ...act, state } }, language)).toMatch(/^Pause: /);
  const rows = ['done', 'done', 'omitted', 'unknown', 'pending'].map((state) => ({ ...t, act: { ...act, state } }));
  expect(roundCounts([...rows, { ...t, act: { ...act, round: 2, state: 'done' } }], 3)).toEqual({ done: 2, omitted: 1, open: 2 });
});

it('acts at one table by a tap on it, and at all only after a second tap', async () => {
  const sent: Args[] = [];
  const office = sampleOffice({ tables: venueOf(300), people: {}, act: () => 7 }, (row, args) => row === 'act' && sent.push(args));
  render(Floor, { office });
  await fireEvent.click(await screen.findByTitle('t20'));
  await fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  expect(sent).toEqual([{ tables: 't20', act: 'pause' }]);
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.venue.close') }));
  await fireEvent.click(screen.getByRole('button', { name: language.t('host.venue.everywhere') }));
  await fireEvent.click(screen.getByRole('button', { name: 'White light' }));
  expect(sent.length).toBe(1);
  await fireEvent.click(screen.getByRole('button', { name: language.t('ui.host.sure') }));
  expect(sent[1]).toEqual({ tables: '*', act: 'light', to: 'white' });
});

it('offers no acts to who may only look, and none of a table to nobody', async () => {
  render(Floor, { office: sampleOffice({ tables: venueOf(12), people: {} }) });
  await fireEvent.click((await screen.findAllByText('salle-2'))[0]!);
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(screen.queryByRole('button', { name: language.t('host.venue.everywhere') })).toBeNull();
});

it('asks a console that has begun again for its new number', async () => {
  let epoch = 4;
  const asked: string[] = [];
  const get = (async (url: string) => {
    asked.push(url);
    return url === '/venue.json'
      ? new Response(JSON.stringify({ v: 1, now: Date.now() + 60_000, epoch: epoch++ }))
      : new Response('', { status: 403 });
  }) as typeof fetch;
  const pass = { seat: 0, number: 1, user: 'venue-host', key: new Uint8Array(32), phone: 'abcdefgh' };
  const here = await consoleOf({ base: 'majordome/1/house/venue', table: 'venue', demo: false }, pass, get);
  expect(here.ahead).toBeGreaterThan(59_000);
  await expect(here.ask({ watch: {} } as OfficeRequest)).rejects.toThrow('403');
  expect(asked).toEqual(['/venue.json', '/office', '/venue.json']);
});
