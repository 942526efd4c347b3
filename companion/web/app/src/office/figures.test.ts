import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { names } from '../dev/fixtures';
import { hostUpdate } from '../dev/hosts';
import { sampleOffice } from '../dev/office';
import { formatLength } from '../lib/length';
import { language } from '../lib/language.svelte';
import { type Figures, type GameFigures, WIRE_VERSION } from '../lib/wire';
import Console from '../host/Console.svelte';
import { costlyCards, formatCSV, countHints, countByMonth, sumByOperator, meanPhases, sumGames } from './figures';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const game = (n: number, more: Partial<GameFigures> = {}): GameFigures => ({
  n,
  game: 'huis-clos',
  began: new Date(2026, 10, n, 20, 5).getTime() / 1000,
  played: 3_600_000,
  end: 'won',
  seats: 4,
  hints: 0,
  overruled: 0,
  ...more,
});
const reset = (took: number, cards: [string, number, number][], missing: string[] = []) => ({
  took,
  cards: cards.map(([card, at, cost]) => ({ card, at, cost })),
  missing,
});
const evenings = [
  game(3, {
    team: '=SUM(A1)',
    players: ['Zoé, la "rousse"'],
    winners: ['Zoé, la "rousse"'],
    hints: 3,
    fromStock: { a: 2 },
    staff: [{ name: 'Otto', began: true, signed: true, hints: 3 }],
    reset: reset(240_000, [['clue-2', 240_000, 200_000], ['clue-1', 30_000, 20_000]]),
  }),
  game(2, {
    end: 'time',
    of: 3_600_000,
    hints: 1,
    fromStock: { b: 1 },
    overruled: 2,
    staff: [{ name: 'Odile', began: true, overruled: 2 }, { name: 'Otto', hints: 1 }],
    phases: [{ phase: 'deposit', took: 60_000 }],
    reset: reset(60_000, [['clue-2', 60_000, 60_000]], ['clue-2']),
  }),
  game(1, {
    began: new Date(2026, 9, 31, 20).getTime() / 1000,
    end: 'open',
    played: 0,
    phases: [{ phase: 'deposit', took: 30_000 }, { phase: 'pick', took: 9_000 }],
  }),
];

it('adds up by person: a group is whose who signed it, or else began it', () => {
  expect(sumByOperator(evenings)).toEqual([
    { name: 'Odile', groups: 1, played: 3_600_000, hints: 0, overruled: 2 },
    { name: 'Otto', groups: 1, played: 3_600_000, hints: 4, overruled: 0 },
  ]);
  expect(sumByOperator([game(1, { staff: [{ name: 'A', began: true }, { name: 'B', signed: true }] })]).map((o) => [o.name, o.groups]))
    .toEqual(
      [['B', 1], [
        'A',
        0,
      ]],
    );
  expect(sumByOperator([game(1)])).toEqual([]);
});

it('adds games up', () => {
  expect(sumGames(evenings)).toEqual({ games: 3, played: 2_400_000, hints: 4 / 3, reset: 150_000, time: 1 });
  expect(sumGames([])).toEqual({ games: 0, played: 0, hints: 0, reset: 0, time: 0 });
  expect(countByMonth(evenings)).toEqual([{ id: '2026-11', n: 2 }, { id: '2026-10', n: 1 }]);
  expect(meanPhases(evenings)).toEqual([{ id: 'huis-clos/deposit', n: 45_000 }, { id: 'huis-clos/pick', n: 9_000 }]);
  const other = game(4, { game: 'another', phases: [{ phase: 'deposit', took: 1000 }] }); // which has a phase of the same name
  expect(meanPhases([...evenings, other]).find((b) => b.id === 'another/deposit')?.n).toBe(1000);
  expect(countHints(evenings)).toEqual([{ id: 'a', n: 2 }, { id: 'b', n: 1 }, { id: '', n: 1 }]);
  expect(costlyCards(evenings, 9).map((c) => [c.card, c.n, c.mean, c.never])).toEqual([['clue-2', 260_000, 240_000, 1], ['clue-1', 20_000,
    30_000, 0]]);
  const many = Array.from({ length: 120 }, (_, i) => game(i, { reset: reset(1000, [['clue-1', 1000, 1000]]) }));
  expect(costlyCards(many, 9)[0]!.n).toBe(100_000); // of the newest hundred
  expect([0, 89_000, 90_000, 3_540_000, 3_900_000].map(formatLength)).toEqual(['0 s', '89 s', '2 min', '59 min', '1 h 05']);
});

it('writes what a table calculation reads, and no formula of a guest', () => {
  const rows = formatCSV(evenings).split('\r\n');
  expect(rows).toHaveLength(5);
  expect(rows[0]).toMatch(/^\uFEFFn,date,time,game,team,/);
  expect(rows[1]).toBe('1,2026-10-31,20:00,huis-clos,,,,open,0,0,,,0,,,,,,,');
  expect(rows[2]).toBe('2,2026-11-02,20:05,huis-clos,,,,time,3600,1,3600,0,2,60,clue-2,,Odile,,Otto 1,Odile 2');
  expect(rows[3]).toBe(
    `3,2026-11-03,20:05,huis-clos,'=SUM(A1),"Zoé, la ""rousse""","Zoé, la ""rousse""",won,3600,3,,,0,240,,,Otto,Otto,Otto 3,`,
  );
});

it('opens the figures at one tap, on the device that asked, and closes them', async () => {
  const all: Figures = {
    v: WIRE_VERSION,
    games: evenings,
    labels: { 'huis-clos': { 'clue-2': { fr: 'Corde', en: 'Rope' } } },
    stock: { a: { fr: 'Regardez', en: 'Look' } },
    days: 30,
  };
  const asked = vi.fn();
  const office = sampleOffice({ figures: () => all }, asked);
  render(Console, { update: hostUpdate('running'), state: { is: 'idle' as const }, onact: () => {}, ondismiss: () => {}, office });
  await fireEvent.click(screen.getByRole('button', { name: 'Results and figures' }));
  await waitFor(() => screen.getByRole('heading', { name: 'Game by game' }));
  expect(asked.mock.calls).toEqual([['figures', {}]]);
  screen.getByText('Rope');
  screen.getByText('Look');
  await fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Rope')).toBeNull();
});
