import { cleanup, render, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseNames, caseSamples } from '../dev/clueseats';
import { names } from '../dev/fixtures';
import { eachTest, open } from '../dev/seatpage';
import { seatSamples } from '../dev/seats';
import { lessonsOf } from '../games/lessons';
import { held } from '../lib/hold.svelte';
import { language } from '../lib/language.svelte';
import { loadLessons, formatLesson, lessonsIn } from '../lib/lessons';
import { waitedSince } from '../lib/waited';
import type { Update, View } from '../lib/wire';
import Wait from './Wait.svelte';

vi.setConfig({ testTimeout: 30_000 });
eachTest();
beforeEach(async () => void (await Promise.all([loadLessons('en'), loadLessons('fr')])));
afterEach(() => vi.useRealTimers());

const samples = { ...seatSamples, ...caseSamples } as Record<string, () => Update>;
const all = Object.keys(samples).filter((s) => samples[s]!().view.me !== undefined && !samples[s]!().view.result);

/** The same moment for a seat with other knowledge and other offers. */
const stranger = (u: Update): Update => {
  const view: View = { ...u.view, viewer: 'seat-7', offers: [], log: [] };
  delete view.me;
  if (view.case) {
    view.case = { ...view.case };
    delete view.case.past;
  }
  return { ...u, view, notes: '' };
};

async function slip(u: Update): Promise<string> {
  render(Wait, { update: u });
  const said = await waitFor(() => {
    const text = document.querySelector('.wait')!.textContent!;
    expect(text.trim()).not.toBe('');
    return text;
  });
  cleanup();
  return said;
}

describe('who waits reads what all who wait read', () => {
  it.each(all)('%s', async (sample) => {
    const u = { ...samples[sample]!(), waited: 200_000 };
    language.learnNames(u.view.case ? caseNames() : names);
    expect(await slip(u)).toBe(await slip(stranger(u)));
  });
  it.each(all)('%s: each thought has its sentence in both languages, and its blanks', (sample) => {
    const { view } = samples[sample]!();
    for (const [key, args] of lessonsOf(view).muse(view, language)) {
      for (const lang of ['fr', 'en'] as const) {
        expect(formatLesson(lang, lessonsOf(view).games(view), key, args, () => 'x'), key).toMatch(/^[^{}]+$/);
      }
    }
  });
  it('has thoughts of every kind that the catalogue has', () => {
    const views = [...all.map((s) => samples[s]!().view), { ...samples['wait']!().view, gone: ['clue-1'] }];
    const came = new Set(views.flatMap((v) => {
      language.learnNames(v.case ? caseNames() : names);
      return lessonsOf(v).muse(v, language).map(([key]) => key);
    }));
    const written = Object.values(lessonsIn('en')!).flatMap((texts) => Object.keys(texts).filter((key) => key.startsWith('muse.')));
    expect(written.filter((key) => !came.has(key))).toEqual([]);
  });
});

it('says since when, by the minute, and counts on', () => {
  const u = { epoch: 7, rev: 1, waited: 59_000 };
  expect(waitedSince(u, 1000)).toBe(59_000);
  expect(waitedSince(u, 6000)).toBe(64_000); // drawn again, it does not start again
  expect(waitedSince({ ...u, rev: 2, waited: 0 }, 9000)).toBe(0);
});

it('names the minutes', async () => {
  const u = { ...samples['wait']!(), epoch: 8, waited: 130_000 };
  expect(await slip(u)).toContain('for 2 min now');
  expect(await slip({ ...u, rev: u.rev + 1, waited: 0 })).not.toContain('min');
});

it('says who must act where the prompt does not', async () => {
  const u = { ...samples['wait']!(), epoch: 10, waited: 0 };
  const [seat] = u.view.active;
  const prompted = (a: Record<string, string>): Update => ({ ...u, view: { ...u.view, prompt: { k: 'hc.prompt.move', a } } });
  expect(await slip(prompted({ seat: `seat-${seat}` }))).not.toContain('Waiting for');
  expect(await slip(prompted({}))).toContain('Waiting for');
});

it('counts on when the finger is lifted', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  render(Wait, { update: { ...samples['wait']!(), epoch: 9, waited: 50_000 } });
  const said = () => document.querySelector('.wait')!.textContent!;
  held.show('card');
  vi.advanceTimersByTime(20_000);
  await tick();
  expect(said()).not.toContain('min');
  held.hide();
  vi.advanceTimersByTime(5000);
  await tick();
  expect(said()).toContain('1 min');
});

describe('it is there while others are to act, and for no other reason', () => {
  const there = () => document.querySelector('.wait') !== null;
  const shown = async (sample: string) => {
    open(sample);
    await waitFor(() => expect(there()).toBe(true));
  };
  /** Opens a sample and waits long enough for the slip to appear, if it is going to. */
  const missed = async (sample: string, change: (u: Update) => void = () => {}) => {
    open(sample, {}, change);
    await import('./Wait.svelte');
    await new Promise((done) => setTimeout(done, 600));
    expect(there()).toBe(false);
  };
  it('while another acts', async () => shown('wait'));
  it('also with something that may be done meanwhile', async () => shown('window'));
  it('not while a finger reads, for what lies above would move', async () => {
    held.show('card');
    await missed('wait');
    held.hide();
    await waitFor(() => expect(there()).toBe(true));
  });
  it('not while this seat is to act', async () => missed('move'));
  it('not while nobody is waited for, as in a scene', async () => missed('wait', (u) => (u.view.active = [])));
  it('not after the end', async () => missed('over'));
});
