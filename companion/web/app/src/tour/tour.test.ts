import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, names, samples } from '../dev/fixtures';
import type { BenchAct, BenchPlay } from '../gen/wire';
import { language } from '../lib/language.svelte';
import Stage from './Stage.svelte';

beforeEach(() => {
  language.lang = 'en';
  language.learnNames(names);
});
afterEach(cleanup);

const EVENING: BenchPlay = { on: true, speed: 1, game: 'huis-clos', seed: 7, mine: [] };

/** Frames that are not blank load no page here, and happy-dom says so. */
function show(
  play: BenchPlay | undefined,
  sample = 'play',
  blank = true,
  holds = (_: number) => true,
): { did: BenchAct[]; again: (play: BenchPlay, url?: string) => Promise<void> } {
  const update = samples[sample]!();
  language.learnSeats(update.view.seats);
  const did: BenchAct[] = [];
  const props = (play: BenchPlay | undefined, url?: string) => {
    const lies = { ...bench(update), ...(play === undefined ? {} : { play }) };
    if (url !== undefined) lies.players = lies.players.map((p) => (p.seat === 1 ? { ...p, url } : p));
    return { bench: lies, update, token: 't', blank, holds, act: (a: BenchAct) => void did.push(a) };
  };
  const { rerender } = render(Stage, props(play));
  return { did, again: (play, url) => rerender(props(play, url)) };
}
const press = (name: string, n = 0): Promise<unknown> => fireEvent.click(screen.getAllByRole('button', { name })[n]!);
const frames = (): string[] => [...document.querySelectorAll('iframe')].map((f) => `${f.name} ${f.getAttribute('src')}`);

it('shows every page in a frame that has a name and a title', () => {
  show(undefined, 'play', false);
  expect(frames()).toEqual(['display /display', 'seat-1 /#seat=1', 'seat-2 /#seat=2', 'bench /bench#b=t']);
  for (const f of document.querySelectorAll('iframe')) expect(f.title).not.toBe('');
  expect(screen.queryByRole('button', { name: 'Watch an evening' })).toBeNull(); // there is no automatic evening
});

it('lets an evening begin, stop and go on', async () => {
  const { did, again } = show({ on: false, speed: 1, seed: 7, mine: [] }, 'lobby');
  await press('Watch an evening');
  await again(EVENING);
  await press('Pause');
  await again({ ...EVENING, on: false });
  await press('Continue');
  await again(EVENING);
  await press('Take over');
  await again({ ...EVENING, on: false });
  await press('×4');
  await press('×8');
  expect(did.map((a) => a.play)).toEqual([
    { ...EVENING, seed: expect.any(Number) },
    { ...EVENING, on: false },
    EVENING,
    { ...EVENING, on: false },
    { ...EVENING, on: false, speed: 4 },
    { ...EVENING, on: false, speed: 8 },
  ]);
});

it('begins another evening: of another number, another game, or one that is told', async () => {
  const { did } = show(EVENING);
  await press('Another evening');
  expect(did[0]?.play).toMatchObject({ on: true, game: 'huis-clos' });
  expect(did[0]?.play?.seed).not.toBe(7);
  const seed = screen.getByLabelText('Evening no.');
  await fireEvent.input(seed, { target: { value: '12' } });
  await press('Watch an evening');
  expect(did[1]?.play).toMatchObject({ on: true, game: 'huis-clos', seed: 12 });
  await fireEvent.change(screen.getByLabelText('Game'), { target: { value: 'super-cluedo' } });
  await press('Watch: Super Cluedo');
  expect(did[2]?.play).toMatchObject({ on: true, game: 'super-cluedo', seed: 12 });
  await fireEvent.input(seed, { target: { value: '-1' } }); // no number of an evening
  await press('Pause');
});

it('an evening that is over gives way to another one', async () => {
  const { did } = show(EVENING, 'over');
  await press('Watch an evening');
  expect(did[0]?.play?.on).toBe(true);
  expect(did[0]?.play?.seed).not.toBe(7);
});

it('two keys in a row are one wish, whatever the guests do between them', async () => {
  const { did, again } = show(EVENING);
  await press('×4');
  await again({ ...EVENING, did: { seat: 1 } });
  await press('Play : Bruno');
  expect(did[1]?.play).toMatchObject({ speed: 4, mine: [2] });
});

it('a visitor plays a seat', async () => {
  const { did, again } = show(EVENING);
  await press('Play : Bruno');
  expect(did[0]?.play?.mine).toEqual([2]);
  await again({ ...EVENING, mine: [1] });
  expect(screen.getByRole('status').textContent).toContain('Your turn, Anne.');
  await press('Give back : Anne');
  expect(did[1]?.play?.mine).toEqual([]);
});

it('the phone of a visitor whose turn comes is shown, in the place of another, and may be put away again', async () => {
  const { again } = show(EVENING, 'deposit');
  const seats = () => screen.getAllByLabelText<HTMLSelectElement>('Whose phone this is').map((s) => s.value);
  expect(seats()).toEqual(['1', '2']);
  await again({ ...EVENING, mine: [3] });
  expect(seats()).toEqual(['3', '2']);
  await fireEvent.change(screen.getAllByLabelText('Whose phone this is')[0]!, { target: { value: '1' } });
  expect(seats()).toEqual(['1', '2']);
});

it('a game that somebody has stopped goes on by the key of the evening', async () => {
  const { did } = show(EVENING, 'covered');
  await press('Continue');
  expect(did).toEqual([{ act: 'resume' }]);
});

it('a phone that has come in stays as it is, and another seat comes in its place', async () => {
  const { again } = show(EVENING, 'play', false);
  const [, anne] = document.querySelectorAll('iframe');
  await again(EVENING, '/#seat=1&later');
  expect(document.querySelectorAll('iframe')[1]).toBe(anne);
  await fireEvent.change(screen.getAllByLabelText('Whose phone this is')[0]!, { target: { value: '4' } });
  expect(frames().slice(1, 3)).toEqual(['seat-4 /#seat=4', 'seat-2 /#seat=2']);
});

it('the phones of others are not shown while there are some that can be opened', () => {
  show(EVENING, 'play', true, (seat) => seat > 2);
  expect(screen.getAllByLabelText<HTMLSelectElement>('Whose phone this is').map((s) => s.value)).toEqual(['3', '4']);
});

it('the host’s page that is on another device is opened here when the visitor asks for it', async () => {
  const { did } = show(EVENING, 'play', true, () => false);
  await press('Host’s page: open it here');
  expect(did).toEqual([{ act: 'invite', seat: 0 }]);
});

it('a phone that is on another device is opened here when the visitor asks for it', async () => {
  const { did, again } = show(EVENING, 'play', false, (seat) => seat === 2);
  const phones = () => frames().filter((f) => f.startsWith('seat-')).sort();
  expect(phones()).toEqual(['seat-2 /#seat=2']);
  await press('Open it here');
  expect(did).toEqual([{ act: 'invite', seat: 1 }]);
  await again(EVENING, '/#j=anew');
  expect(phones()).toEqual(['seat-1 /#j=anew', 'seat-2 /#seat=2']);
});
