// A phone that is new, has slept or was replaced shows the same as one that was there all the time: the page
// depends only on the last view, not on earlier ones.
import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { caseNames, caseSamples } from '../dev/clueseats';
import { names } from '../dev/fixtures';
import { seatSamples } from '../dev/seats';
import { language } from '../lib/language.svelte';
import type { Heard, Line, Names, Update } from '../lib/wire';
import Seat from './Seat.svelte';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Random numbers from 0 to n - 1, the same for the same seed. */
function dice(seed: number): (n: number) => number {
  let s = seed;
  return (n) => (s = (s * 48271) % 2147483647) % n;
}

const open = (update: Update) =>
  render(Seat, { update, connection: 'live', state: { is: 'idle' }, onact: () => {}, ondismiss: () => {}, onforget: () => {} });

/** The HTML of all pages of the phone, as a player opens them; the story first, because opening it marks its lines as read. */
async function looked(container: HTMLElement): Promise<string[]> {
  const out: string[] = [];
  // Without Svelte's own marks, and classes in order.
  const keep = () =>
    void out.push(
      container.innerHTML.replace(/<!--.*?-->/g, '').replace(/class="([^"]*)"/g,
        (_, names: string) => `class="${names.split(' ').sort().join(' ')}"`),
    );
  if (!container.querySelector('nav, .fold button')) keep(); // covered: nothing to look through
  for (const tab of out.length === 0 ? [2, 0, 1, 3, 0] : []) {
    if (!container.querySelector('nav')) await fireEvent.click(container.querySelector('.fold button')!); // the note sheet has no tabs
    await fireEvent.click(container.querySelectorAll('nav button')[tab]!);
    keep();
    for (const leaf of container.querySelectorAll('.leaves button')) {
      await fireEvent.click(leaf);
      keep();
    }
  }
  return out;
}

/** Random views of one seat in any order, whose story and hypotheses grow to more than fits into a view. */
function* evening(samples: Record<string, () => Update>, k: string, roll: (n: number) => number): Generator<Update> {
  const lines: Line[] = [];
  const past: Heard[] = [];
  const moments = Object.values(samples).filter((s) =>
    s().view.phase !== 'lobby' && s().view.seats.some((x) => x.seat === s().view.me?.seat)
  );
  for (let rev = 1; rev <= 24; rev++) {
    const u = moments[roll(moments.length)]!();
    for (let i = roll(24); i >= 0; i--) {
      const n = lines.length + 1;
      lines.push({
        n,
        round: 1 + Math.floor(n / 20),
        msg: { k, a: { seat: `seat-${1 + roll(4)}`, place: 'place-3' } },
        ...(roll(4) === 0 ? { own: true } : {}),
      });
    }
    past.push({ n: past.length + 1, round: rev, by: 1 + roll(4), cards: ['suspect-olive', 'weapon-hache', 'room-hall'], shown: 1, to: 2 });
    u.rev = rev;
    u.notes = '';
    u.view.log = lines.slice(-40);
    if (u.view.case) u.view.case.past = past.slice(-8);
    yield u;
  }
}

const games: [string, Record<string, () => Update>, Names, string][] = [
  ['Huis Clos', seatSamples, names, 'hc.log.moved'],
  ['Cluedo', caseSamples, caseNames(), 'cl.log.none'],
];

it.each(games)('in a %s', async (_, samples, deck, line) => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  language.learnNames(deck);
  language.lang = 'en';
  const roll = dice(4711);
  let came = 0;
  let stayed: ReturnType<typeof open> | undefined;
  for (const update of evening(samples, line, roll)) {
    language.learnSeats(update.view.seats);
    if (stayed) await stayed.rerender({ update });
    else stayed = open(update);
    if (roll(5) > 0) continue; // no new phone
    came++;
    const here = await looked(stayed.container as HTMLElement);
    const late = open(update);
    const there = await looked(late.container as HTMLElement);
    late.unmount();
    late.container.remove();
    expect(here, `view ${update.rev}`).toEqual(there);
  }
  expect(came).toBeGreaterThan(2);
});
