import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import TableTop from '../bench/TableTop.svelte';
import { nextGuide } from '../bench/guide';
import { bench, update } from '../dev/fixtures';
import { hosted } from '../dev/hosts';
import { toyBench, toyNames, toySamples } from '../dev/toy';
import Table from '../display/Table.svelte';
import Console from '../host/Console.svelte';
import { listMissing, setUpSteps } from '../host/setup';
import { language } from '../lib/language.svelte';
import Seat from '../phone/Seat.svelte';
import * as huisclos from './huisclos/bench';

const at = (sample: string) => toySamples[sample]!();
const text = () => document.body.textContent ?? '';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(toyNames());
  language.learnSeats(at('toy-play').view.seats);
});
afterEach(cleanup);

// Words that belong to known games: the oldest, roles, clues, accusations, Butler cards.
const FURNITURE = /oldest|your role|clues?\b|accus|butler|intrigue|hypothes|holds the urn|note sheet/i;

describe('a game that nobody knows', () => {
  const acts = { state: { is: 'idle' } as const, onact: () => {}, ondismiss: () => {} };
  it.each(['toy-lobby', 'toy-play', 'toy-over'])('%s stands on the display', (sample) => {
    render(Table, { update: at(sample), voice: language, lang: 'en', onlang: () => {} });
    expect(text()).not.toMatch(FURNITURE);
    expect(text()).not.toContain('undefined');
    if (sample === 'toy-play') expect(text()).toContain('ROOM A');
    expect(text()).not.toContain('first round'); // it has no rounds
  });
  it.each(['toy-lobby', 'toy-begin', 'toy-host', 'toy-over'])('%s stands on the page of the host', (sample) => {
    render(Console, { update: hosted(at(sample)), ...acts });
    expect(text()).not.toMatch(FURNITURE);
    if (sample === 'toy-host') expect(screen.getAllByRole('button', { name: 'Twice' })).toHaveLength(1);
  });
  it('begins when the daemon says so, without a path of its own', () => {
    expect(setUpSteps(at('toy-lobby')).map((s) => s.id)).toEqual(['seats', 'rules', 'phones']);
    expect(listMissing(at('toy-begin'))).toEqual([]);
    expect(setUpSteps(at('toy-host'))).toEqual([]);
  });
  it('stands on a phone, its cards alone in the hand', () => {
    render(Seat, { update: at('toy-seat'), connection: 'live', ...acts, onforget: () => {} });
    expect(text()).toContain('Card 1 of 2');
    expect(screen.getByRole('button', { name: 'Ring the bell' })).toBeTruthy();
    expect(text()).not.toMatch(FURNITURE);
  });
  it('asks openly for what is public', async () => {
    render(Seat, { update: at('toy-seat'), connection: 'live', ...acts, onforget: () => {} });
    await fireEvent.click(screen.getByRole('button', { name: 'Ring the bell' }));
    expect(screen.getByRole('button', { name: 'Twice' })).toBeTruthy();
  });
  it('lies on the simulated table as its record says', () => {
    const u = at('toy-play');
    render(TableTop, { update: u, bench: toyBench(u), act: () => {} });
    expect(text()).not.toMatch(FURNITURE);
    expect(nextGuide(u, toyBench(u))).toMatchObject({ from: ['hand:seat-1'], to: ['slot'], phone: 1 });
    const short = toyBench(u);
    short.cards[0]!.spot = 'gone';
    expect(nextGuide(u, short)).toMatchObject({ key: 'ui.bench.guide.differs', to: ['hand:seat-1'] });
  });
});

it('Huis Clos keeps clues and weapons in one lot, neither roles nor strangers among them', () => {
  const [clues, roles] = huisclos.part.lots(bench(update()).cards);
  expect(new Set(clues!.cards.map((c) => c.kind))).toEqual(new Set(['clue', 'weapon']));
  expect(new Set(roles!.cards.map((c) => c.kind))).toEqual(new Set(['role-card']));
});
