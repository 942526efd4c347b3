import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { houses } from '../dev/houses';
import { language } from '../lib/language.svelte';
import { tableAlerts, fetchTables, timeLeft, stateLine, tableTitle } from './tables';
import Tables from './Tables.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);

it('says of each table how it stands and what wants somebody to look', async () => {
  const all = houses['several']!();
  render(Tables, { fetch: async () => all });
  const cards = await screen.findAllByRole('region');
  expect(cards.map((c) => c.getAttribute('aria-labelledby'))).toEqual(all.all.map((t) => `t-${t.name}`));
  for (const t of all.all) {
    const text = document.querySelector(`[aria-labelledby="t-${t.name}"]`)?.textContent ?? '';
    expect(text).toContain(stateLine(t, language));
    for (const a of tableAlerts(t, language)) expect(text).toContain(a);
  }
  expect(screen.getAllByRole('link').map((a) => a.getAttribute('href'))).toEqual(
    all.all.filter((t) => t.online && t.page).map((t) => `${t.page}/host`),
  );
});

it('says nothing of a table that is away but that it is', () => {
  const t = { ...houses['several']!().all[1]!, online: false };
  expect([stateLine(t, language), tableAlerts(t, language), timeLeft(t, 0)]).toEqual([language.t('host.tables.away'), [], '']);
});

it('names a game that this table has no title for', () => {
  const t = houses['several']!().all[1]!;
  expect(tableTitle({ ...t, game: 'huis-clos', title: { fr: '', en: '' } }, 'en')).toBe('Huis Clos');
  expect(tableTitle({ ...t, title: { fr: 'Le mien', en: 'Mine' } }, 'fr')).toBe('Le mien');
});

it('counts down by the clock of the table', () => {
  const t = houses['several']!().all[1]!;
  expect(timeLeft({ ...t, count: true, ends: 70_000 }, 5_000)).toBe('1:05');
  expect(timeLeft({ ...t, count: true, ends: 70_000 }, 90_000)).toBe('0:00');
  expect(timeLeft({ ...t, count: true, ends: 0, left: 600 }, 90_000)).toBe('10:00');
});

it('keeps the last state when the daemon does not answer, and says so', async () => {
  let answers = true;
  const all = houses['several']!();
  const get = (async () => answers ? Response.json(all) : Response.error()) as typeof fetch;
  expect(await fetchTables(get)).toEqual(all);
  answers = false;
  await expect(fetchTables(get)).rejects.toThrow('tables.json');
});

it('says how many tables it hears and does not show', async () => {
  render(Tables, { fetch: async () => houses['more']!() });
  expect(await screen.findByText(language.t('host.tables.more', { n: 3, most: 4 }))).toBeTruthy();
  cleanup();
  render(Tables, { fetch: async () => houses['several']!() });
  await screen.findAllByRole('region');
  expect(screen.queryByText(/no room for/)).toBeNull();
});

it.each(['alone', 'off', 'twin'] as const)('%s: says what to do', async (sample) => {
  render(Tables, { fetch: async () => houses[sample]!() });
  const key = sample === 'alone' ? 'host.tables.none' : sample === 'off' ? 'host.tables.off' : 'host.tables.twin';
  expect(await screen.findByText(language.t(key))).toBeTruthy();
});
