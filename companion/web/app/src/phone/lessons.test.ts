import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseNames, caseSamples } from '../dev/clueseats';
import { names } from '../dev/fixtures';
import { seatSamples } from '../dev/seats';
import { lessonsOf } from '../games/lessons';
import { HapCrime, HapShown, HapUnrefuted } from '../gen/engine';
import { held } from '../lib/hold.svelte';
import { language } from '../lib/language.svelte';
import { loadLessons, formatLesson, type Lessons as Texts } from '../lib/lessons';
import type { Choice } from '../lib/offers';
import type { Update, View } from '../lib/wire';
import Acts from './Acts.svelte';
import Choose from './Choose.svelte';
import Goal from './Goal.svelte';
import Lessons from './Lessons.svelte';
import FirstTime from './FirstTime.svelte';
import { Tutor, tutor } from './tutor.svelte';

let texts: Texts;
beforeEach(async () => {
  texts = await loadLessons('en');
  await loadLessons('fr');
  language.learnNames(names);
  language.lang = 'en';
  localStorage.clear();
  tutor.off = false;
});
afterEach(cleanup);

const samples = { ...seatSamples, ...caseSamples } as Record<string, () => Update>;
const all = Object.keys(samples).filter((s) => samples[s]!().view.me !== undefined);
const has = (view: View) => (key: string) => lessonsOf(view).games(view).some((g) => texts[g]?.[key] !== undefined);
const of = (sample: string, over: Partial<View> = {}): View => ({ ...samples[sample]!().view, ...over });
const told = async (view: View) => {
  render(Lessons, { view });
  return (await screen.findByRole('button', { name: 'I know this game' })).closest('section')!;
};

describe('what is explained hangs on what everybody sees', () => {
  // Neighbours can see whether a phone shows an explanation, so it must not depend on secrets.
  it.each(all)('%s: nothing of the seat’s own is read', (sample) => {
    const { view } = samples[sample]!();
    const read: string[] = [];
    const watch = (o: object, hidden: readonly string[]): object =>
      new Proxy(o, {
        get(on, name) {
          if (hidden.includes(String(name))) read.push(String(name));
          return Reflect.get(on, name) as unknown;
        },
      });
    const seen = watch({ ...view, ...(view.case ? { case: watch(view.case, ['past']) } : {}) }, ['me', 'offers', 'log', 'custody',
      'viewer']) as View;
    const part = lessonsOf(seen);
    const seat = view.me!.seat;
    part.now(seen, seat);
    part.state(seen, seat);
    part.args(seen, seat);
    part.muse(seen, language);
    for (const h of view.happened) part.after(h, seat, seen);
    expect(read).toEqual([]);
  });
  it('says no more of the prompt than all are told', () => {
    const now = (k: string) => lessonsOf(of('move')).now(of('move', { prompt: { k } }), 3);
    expect(now('hc.prompt.take.you')).toEqual(now('hc.prompt.take'));
    expect(now('hc.prompt.take.watched.you')).toEqual(now('hc.prompt.take'));
    expect(now('hc.prompt.watch')).toEqual(now('hc.prompt.window'));
  });
  it('wonders what somebody does in a room, and not in a place without a card', () => {
    const view = of('c-answer');
    language.learnNames([...caseNames(), { id: 'hall', kind: 'area', text: { fr: 'Hall', en: 'Hall' } }]);
    const at = (place: string, other = '') => {
      const seats = view.seats.map((s, i) => ({ ...s, place: i === 0 ? other : place }));
      return lessonsOf(view).muse({ ...view, seats }, language).filter(([key]) => key === 'muse.room');
    };
    expect([at('room-hall').length > 0, at('pool'), at('hall'), at('room-hall', 'room-hall')]).toEqual([true, [], [], []]);
  });
});

describe('every first time', () => {
  it('is explained once', () => {
    const t = new Tutor();
    const pick = of('move', { phase: 'pick', prompt: { k: 'hc.prompt.pick' }, active: [1], clock: { at: 0, of: 8, mark: 5, open: false } });
    t.hear(pick, 3, has(pick));
    expect(t.shown).toBe('pick');
    t.read('pick');
    expect(t.shown).toBe('');
    t.hear(pick, 3, has(pick));
    expect(t.shown).toBe('');
    const later = new Tutor();
    later.hear(pick, 3, has(pick));
    expect(later.shown).toBe('');
  });
  it('is one that has just happened, and not what a page finds when it opens', () => {
    const crime = (n: number) =>
      of('move', { active: [1], clock: { at: 1, of: 8, mark: 5, open: false }, happened: [{ what: HapCrime, n }] });
    const t = new Tutor();
    t.hear(crime(1), 3, has(crime(1)));
    expect(t.shown).toBe('');
    t.hear(crime(2), 3, has(crime(2)));
    expect(t.shown).toBe('weapon');
  });
  it('is not explained to who knows the game, and to the others it is', () => {
    const t = new Tutor();
    t.off = true;
    t.hear(of('move'), 3, has(of('move')));
    expect(t.shown).toBe('');
    t.off = false;
    expect(t.shown).not.toBe('');
    expect(new Tutor().off).toBe(false);
  });
  it('goes with its game, also when the next one is the same', () => {
    const view = (n: number) =>
      of('move', { active: [1], clock: { at: 1, of: 8, mark: 5, open: false }, happened: n === 0 ? [] : [{ what: HapCrime, n }] });
    const t = new Tutor();
    for (const n of [1, 2]) t.hear(view(n), 3, has(view(n)));
    expect(t.shown).toBe('weapon');
    t.hear(view(0), 3, has(view(0)));
    expect(t.shown).toBe('');
  });
  it('makes room when its moment is over and another has come', () => {
    const early = { at: 1, of: 8, mark: 5, open: false };
    const t = new Tutor();
    for (const [prompt, want] of [['move', 'move'], ['act.search', 'move'], ['take', 'search'], ['finish.leave', 'destroy']] as const) {
      const view = of('move', { prompt: { k: `hc.prompt.${prompt}.you` }, clock: early, active: [3], phase: 'investigation' });
      t.hear(view, 3, has(view));
      expect(t.shown).toBe(want);
    }
  });
  it('goes after its moment when it could be read', () => {
    vi.useFakeTimers();
    const t = new Tutor();
    const hear = (prompt: string): string => {
      const view = of('move', {
        prompt: { k: `hc.prompt.${prompt}` },
        clock: { at: 1, of: 8, mark: 5, open: false },
        active: [3],
        phase: 'investigation',
      });
      t.hear(view, 3, has(view));
      return t.shown;
    };
    expect(hear('move.you')).toBe('move');
    vi.advanceTimersByTime(15_000);
    expect(hear('none')).toBe('move');
    vi.advanceTimersByTime(6_000);
    expect(hear('none')).toBe('');
    vi.useRealTimers();
  });
  it('holds nothing back that has its moment, where it has none itself, and comes back', () => {
    const t = new Tutor();
    const view = (step: string) => {
      const v = of('c-answer', { active: [step === '' ? 2 : 3] });
      v.case!.step = step === '' ? 'move' : step;
      return v;
    };
    t.hear(view(''), 3, has(view('')));
    expect(t.shown).toBe('notes');
    t.hear(view('answer'), 3, has(view('')));
    expect(t.shown).toBe('asked');
    t.read('asked');
    expect(t.shown).toBe('notes');
  });
  it('of a Cluedo is the seat’s that it happened to', () => {
    const view = of('c-answer');
    const after = (what: string, other: number) => lessonsOf(view).after({ what, n: 1, seat: 2, other }, 1, view);
    expect(after(HapShown, 1)).toEqual(['seen']);
    expect(after(HapShown, 3)).toEqual([]);
    expect(after(HapUnrefuted, 3)).toEqual(['nobody']);
  });
});

describe('a slip', () => {
  const slip = async (over: Partial<View> = {}) => {
    const oncards = vi.fn();
    const view = of('move', {
      phase: 'pick',
      prompt: { k: 'hc.prompt.pick' },
      active: [1],
      clock: { at: 0, of: 8, mark: 5, open: false },
      ...over,
    });
    render(FirstTime, { view, seat: 3, oncards });
    await screen.findByRole('region', { name: 'First time' });
    return oncards;
  };
  it('goes at a tap, and the cards that were not read wait below it', async () => {
    const oncards = await slip();
    expect(screen.getByRole('status').textContent).toBe(texts['huis-clos']!['pick']);
    await fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
    expect(screen.queryByRole('status')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: /^What is it about/ }));
    expect(oncards).toHaveBeenCalledOnce();
    tutor.readCards('huis-clos');
    await vi.waitFor(() => expect(document.querySelector('.slip')).toBeNull(), 20_000);
  });
  it('is away while cards are held, and keeps its place', async () => {
    await slip({ phase: 'deposit' });
    held.show('hand');
    await vi.waitFor(() => expect(document.querySelector('.slip')!.className).toContain('low'), 20_000);
    held.hide();
  });
});

it('the cards of the lobby are the same for all, put away once, and stay away', async () => {
  const html = async (seat: number) => {
    const section = await told(of('move', { me: { ...of('move').me!, seat, role: seat === 3 ? 'role-murderer' : 'role-innocent-1' } }));
    const out = section.innerHTML;
    cleanup();
    return out;
  };
  expect(await html(3)).toBe(await html(2));
  await told(of('move'));
  for (const name of ['Next', 'Back', 'Next', 'Next', 'Got it']) await fireEvent.click(screen.getByRole('button', { name }));
  expect([tutor.cards('huis-clos'), new Tutor().cards('huis-clos'), tutor.cards('cluedo-2008')]).toEqual([false, false, true]);
});

describe('the goal', () => {
  it.each(['move', 'search', 'deposit'])('%s: two roles look alike until a finger holds it', async (sample) => {
    const page = async (role: string) => {
      const view = of(sample);
      render(Goal, { view: { ...view, me: { ...view.me!, role } } });
      await screen.findByText('Who am I?');
      const out = document.body.innerHTML.replace(/s-[\w-]+/g, '');
      await fireEvent.pointerDown(screen.getByRole('button'), { isPrimary: true, button: 0, pointerId: 1 });
      const shown = screen.getByRole('button').textContent;
      cleanup();
      return [out, shown];
    };
    const [one, murderer] = await page('role-murderer');
    const [other, innocent] = await page('role-innocent-1');
    expect(one).toBe(other);
    expect(murderer).toContain('be the only one left alive');
    expect(innocent).not.toBe(murderer);
  });
  it.each(all)('%s: every blank is filled', async (sample) => {
    const { view } = samples[sample]!();
    if (view.case) language.learnNames(caseNames());
    render(Goal, { view });
    if (formatLesson('en', lessonsOf(view).games(view), 'about') === undefined) return;
    await screen.findByText('Who am I?');
    expect(document.body.textContent).not.toMatch(/[{}]|undefined/);
  });
});

it('a sheet says what its act will do, in the situation of the seat, unless its holder knows the game', async () => {
  const exchange: Choice = { act: 'exchange', as: '', rule: 'HC-080', grave: false, offers: [] };
  const view = of('act');
  const me = view.seats.find((s) => s.seat === view.me!.seat)!;
  const beside = view.seats.find((s) => s.seat !== me.seat && s.alive)!;
  beside.place = me.place!;
  for (const s of view.seats) if (s !== me && s !== beside) s.place = '';
  language.learnSeats(view.seats);
  const said = () => {
    render(Choose, { choice: exchange, view, ondone: () => undefined, onclose: () => undefined });
    const out = document.querySelector('.does')?.textContent;
    cleanup();
    return out;
  };
  expect(said()).toContain(`Here with you: ${beside.name}. A clue at random`);
  tutor.off = true;
  expect(said()).toBeUndefined();
});

it('a key that is the only one, or that ends an act, does at once what it says, the first time too', async () => {
  for (const offers of [[{ act: 'search', rule: 'HC-060' }], [{ act: 'done', rule: 'HC-065' }, { act: 'destroy', rule: 'HC-070' }]]) {
    const sent: string[] = [];
    const onact = (act: string) => void sent.push(act);
    render(Acts, { view: of('move', { offers }), offers, busy: false, live: true, onact, onrefuse: () => undefined });
    await fireEvent.click(screen.getAllByRole('button')[0]!);
    expect(sent).toEqual([offers[0]!.act]);
    cleanup();
  }
});

it('a key that does all at once says what before it does, the first time, and to who does not know the game', async () => {
  const view = of('move', { offers: [{ act: 'search', rule: 'HC-060' }, { act: 'exchange', rule: 'HC-081' }] });
  const sent: string[] = [];
  const show = () =>
    render(Acts, {
      view,
      offers: view.offers,
      busy: false,
      live: true,
      onact: (act: string) => void sent.push(act),
      onrefuse: () => undefined,
    });
  const keys = () => screen.getAllByRole('button', { name: 'Search' });
  show();
  await fireEvent.click(keys()[0]!);
  expect(sent).toEqual([]);
  expect(document.querySelector('.does')?.textContent).toContain('clues face down');
  await fireEvent.click(keys()[1]!);
  expect(sent).toEqual(['search']);
  await fireEvent.click(keys()[0]!);
  expect(sent).toEqual(['search', 'search']);
  cleanup();
  localStorage.clear();
  tutor.off = true;
  show();
  await fireEvent.click(keys()[0]!);
  expect(sent.length).toBe(3);
});

it('a wrong accuser who has seen the envelope is not told that its cards are out of it', () => {
  const view = of('c-answer');
  const known = (how: string) => {
    const me = { ...view.me!, seen: [{ cards: caseNames().filter((n) => n.kind === 'room').map((n) => n.id), how, round: 1 }] };
    language.learnNames(caseNames());
    return Number(lessonsOf(view).goal!(me, language)[1]['known']);
  };
  expect(known('envelope')).toBeLessThan(known('shown'));
});

it('the goal is the one of the house rules in force', () => {
  const about = (over: string) => {
    const view = of('move', { switches: { 'rounds-exhausted': over } });
    return formatLesson('en', lessonsOf(view).games(view), 'about');
  };
  expect(about('survivors')).toContain('last until the final round');
  expect(about('murderer')).toContain('must unmask');
  expect(about('nobody')).toBe(about('murderer'));
});

it('an edition that an owner has written is explained by what all of them share', () => {
  const view = of('c-answer', { game: 'cluedo-phare' });
  const say = (key: string) => formatLesson('en', lessonsOf(view).games(view), key);
  expect([say('about'), say('asked'), say('butler')]).toEqual([texts['cluedo']!['about'], texts['cluedo']!['asked'], undefined]);
});

// No dead words: every sentence is used, and every used key has a sentence.
it('each explanation is asked for somewhere', () => {
  const sources = Object.values(
    import.meta.glob<string>(['../games/*/lessons.ts', './{Goal,Lessons,FirstTime,Wait}.svelte', './tutor.svelte.ts'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).join('\n');
  const keys = new Set(Object.values(texts).flatMap((t) => Object.keys(t)).filter((k) => !k.startsWith('act.') && !k.startsWith('title.')));
  expect([...keys].filter((k) => !sources.includes(`'${k}'`))).toEqual([]);
});
