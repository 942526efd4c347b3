import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseNames, caseSamples } from '../dev/clueseats';
import { dealtFacts, sealDeal } from '../dev/deal';
import { done, open, text } from '../dev/seatpage';
import { seatSamples } from '../dev/seats';
import type { ActState } from '../lib/acts.svelte';
import { concatBytes, fromHex, toBase64url } from '../lib/bytes';
import { language } from '../lib/language.svelte';
import { PhaseDealing, type Update } from '../lib/wire';
import { checkDeal as check } from './deal';
import Deal from './Deal.svelte';

const mystery = caseNames().filter((n) => ['suspect', 'weapon', 'room'].includes(n.kind)).map((n) => n.id);
const checkDeal = (u: Update): boolean | undefined => check(u, mystery);

/** A seat of a game that the machine has dealt: each of its cards is opened. */
function dealt(salt = 1): Update {
  const u = (caseSamples['c-over'] as () => Update)();
  u.view.case!.virtual = true;
  u.view.me!.seen = [];
  return sealDeal(u, 0, salt);
}

describe('the deal is checked as package proof says', () => {
  // The same salt, leaf and root as in companion/proof/proof_test.go, TestPinned.
  it('hashes the same as the daemon', () => {
    const u = dealt();
    u.view.case!.virtual = false;
    const leaf = fromHex('b3bfd8f8a3cc59b97aa05b4ebab1826d2a595161c110a2013277af08eb27490b');
    u.opened = [{ i: 1, fact: 'suspect-rose seat-2', salt: 'GPWNX7h_9GOB2vnG1Ym8Tg' }];
    u.proof = {
      root: 'c4e55c168db9d6940f5cdde917dd6874d33e1b8a006e2c736632f21a09f9959e',
      leaves: toBase64url(concatBytes(leaf, leaf)),
    };
    expect(check(u, ['suspect-rose', 'suspect-olive'])).toBe(true);
  });
  it('finds each single change', () => {
    expect(checkDeal(dealt())).toBe(true);
    const change: Record<string, (u: Update) => void> = {
      root: (u) => (u.proof!.root = dealt(7).proof!.root!),
      leaves: (u) => (u.proof!.leaves = dealt(7).proof!.leaves!),
      'a missing leaf': (u) => (u.proof!.leaves = u.proof!.leaves!.slice(0, 43)),
      'no leaves': (u) => delete u.proof!.leaves,
      salt: (u) => (u.opened![0]!.salt = dealt(7).opened![0]!.salt),
      fact: (u) => (u.opened![0]!.fact = `${mystery[0]} seat-3`),
      index: (u) => (u.opened![0]!.i++),
      'an index of no leaf': (u) => (u.opened![0]!.i = 99),
      'a missing opening': (u) => u.opened!.shift(),
      'no openings': (u) => delete u.opened,
      'another card in the hand': (u) => (u.view.me!.hand[0] = { card: mystery.at(-1)! }),
      'a shown card': (u) => (u.view.me!.seen = [{ cards: [mystery.at(-1)!], how: 'shown', other: 2, round: 1 }]),
      'the solution': (u) => (u.view.result!.solution = [mystery.at(-1)!]),
    };
    for (const [what, make] of Object.entries(change)) {
      const u = dealt();
      make(u);
      expect(checkDeal(u), what).toBe(false);
    }
  });
  it('does not ask for the openings of cards that nobody has read', () => {
    const u = dealt();
    u.view.case!.virtual = false;
    u.opened = [];
    expect(checkDeal(u)).toBe(true);
  });
  it('asks for the role if every seat has drawn one', () => {
    const u = sealDeal((seatSamples['over'] as () => Update)(), 0);
    expect(checkDeal(u)).toBe(true);
    u.opened = [];
    expect(checkDeal(u)).toBe(false);
    u.proof = sealDeal({ ...u, view: { ...u.view, seats: u.view.seats.slice(1) } }, 0).proof!;
    expect(checkDeal(u), 'only some were read').toBe(true);
  });
  it('finds a second version of a card', () => {
    for (const virtual of [true, false]) {
      const u = dealt();
      u.view.case!.virtual = virtual;
      const facts = dealtFacts(u);
      const without = (at: number, ...instead: string[]) => facts.flatMap((f, i) => (i === at ? instead : [f]));
      expect(checkDeal(u)).toBe(true);
      expect(checkDeal(sealDeal(u, 0, 1, [...facts, 'weapon-x unknown'])), `one leaf more, ${virtual}`).toBe(false);
      const unknown = facts.findIndex((f) => f.endsWith(' unknown'));
      const card = facts.find((f) => !f.endsWith(' unknown'))!.split(' ')[0];
      expect(checkDeal(sealDeal(u, 0, 1, without(unknown, `${card} seat-9`))), `instead of another, ${virtual}`).toBe(false);
      expect(checkDeal(sealDeal(u, 0, 1, without(unknown, 'card-x seat-9'))), `no card of the deck, ${virtual}`).toBe(false);
      expect(checkDeal(sealDeal(u, 0, 1, [...facts].reverse())), `another order, ${virtual}`).toBe(!virtual);
      expect(checkDeal(sealDeal(u, 0, 1, without(unknown))), `one leaf fewer, ${virtual}`).toBe(!virtual);
    }
  });
  it('finds a second role of a seat', () => {
    const u = (seatSamples['over'] as () => Update)();
    expect(checkDeal(sealDeal(u, 0, 1, [...dealtFacts(u), 'seat-1 unknown']))).toBe(false);
  });
  it('calls nothing right while it does not know the cards', () => {
    expect(check(dealt(), [])).toBe(undefined);
  });
  it('has nothing to check before and during a deal', () => {
    expect(checkDeal((seatSamples['over'] as () => Update)())).toBe(undefined);
    const u = dealt();
    u.view.phase = 'dealing';
    expect(checkDeal(u)).toBe(undefined);
  });
});

describe('the phone', () => {
  let sent: unknown[] = [];
  beforeEach(() => {
    language.lang = 'en';
    language.learnNames(caseNames());
    localStorage.clear();
    sent = [];
  });
  afterEach(cleanup);
  const show = (update: Update, free = true) =>
    render(Deal, { update, live: free, state: { is: 'idle' }, onact: (act: string, args: unknown) => void sent.push([act, args]) });
  const epoch = (n: number, u: Update): Update => ({ ...u, epoch: n }); // each test has one of its own

  it('says nothing of a right deal, and tells the table once', async () => {
    const u = epoch(101, dealt());
    const { rerender } = show(u);
    await rerender({ update: { ...u, rev: u.rev + 1 } });
    expect(text()).toBe('');
    expect(sent).toEqual([['deal-checked', { root: u.proof!.root }]]);
    await rerender({ update: epoch(102, u) });
    expect(sent.length).toBe(2);
  });
  it('tells the table again until it counts this phone, but not for ever', async () => {
    vi.useFakeTimers();
    try {
      const u = epoch(109, dealt());
      const { rerender } = show(u);
      await vi.advanceTimersByTimeAsync(4_000);
      expect(sent.length).toBe(1);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(sent.length).toBe(2);
      await rerender({ live: false });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sent.length, 'offline').toBe(2);
      await rerender({ live: true });
      expect(sent.length).toBe(3);
      const me = `seat-${u.view.me!.seat}`;
      await rerender({ update: { ...u, proof: { ...u.proof, checked: [me] } } });
      await vi.advanceTimersByTimeAsync(600_000);
      expect(sent.length, 'counted').toBe(3);
      await rerender({ update: { ...u, proof: { ...u.proof, checked: [`${me}.2`] } } });
      await vi.advanceTimersByTimeAsync(600_000);
      expect(sent.length, 'another phone of this seat is counted').toBe(6);
    } finally {
      vi.useRealTimers();
    }
  });
  it('waits until an act can be sent', async () => {
    const u = epoch(103, dealt());
    const { rerender } = show(u, false);
    expect(sent).toEqual([]);
    const state = (is: string, act: string): { state: ActState } => ({ state: { is, act } as ActState });
    await rerender({ live: true, ...state('busy', 'deal-checked') });
    await rerender(state('refused', 'move'));
    expect(sent).toEqual([]);
    await rerender(state('refused', 'deal-checked'));
    expect(sent.length).toBe(1);
  });
  it('says that the deal is wrong, and does not call it checked', () => {
    const u = epoch(104, dealt());
    u.opened!.shift();
    show(u);
    expect(text()).toContain('not the deal that it has sealed');
    expect(sent).toEqual([]);
  });
  it('says so too when the proof cannot be read', () => {
    const u = epoch(107, dealt());
    u.opened![0]!.salt = '?';
    show(u);
    expect(text()).toContain('not the deal that it has sealed');
  });
  /** The same after so many happenings, in a game of this number. */
  const later = (n: number, u: Update, game = 1): Update => {
    u.view.happened = [{ what: 'moved', n }];
    if (u.proof) u.proof.game = game;
    return u;
  };
  const bare = (): Update => ({ ...dealt(), proof: { game: 1, head: '00' }, opened: [] });
  const dealing = (): Update => {
    const u = dealt(7);
    u.view.phase = PhaseDealing;
    return u;
  };

  it('says that another deal has taken its place, also after a reload and when the first one is back', async () => {
    show(later(5, dealt()));
    cleanup();
    show(later(6, dealt(7)));
    expect(text()).toContain('dealt again');
    cleanup();
    const { rerender } = show(later(7, dealt(7)));
    expect(text()).toContain('dealt again');
    await rerender({ update: later(8, dealt()) });
    expect(text()).toContain('dealt again');
    expect(sent.length).toBe(1);
  });
  it.each([['without a code', bare], ['without any proof', () => ({ ...bare(), proof: undefined })], ['of a dealing phase', dealing]])(
    'takes an update %s for no new deal while the story goes on',
    async (_, between) => {
      const { rerender } = show(later(5, dealt()));
      await rerender({ update: later(5, between() as Update) });
      expect(text()).toContain('dealt again');
      await rerender({ update: later(6, dealt(7)) });
      expect(text()).toContain('dealt again');
    },
  );
  it.each([
    ['the deal was taken back', () => later(4, dealing()), () => later(5, dealt(7))],
    ['another game has begun', () => later(0, { ...bare(), proof: undefined } as unknown as Update), () => later(5, dealt(7), 2)],
    ['another game was begun without this phone', () => later(6, dealt(7), 2), () => later(7, dealt(7), 2)],
  ])('says nothing of another deal when %s, and forgets the warning', async (_, between, next) => {
    const { rerender } = show(later(5, dealt()));
    await rerender({ update: later(6, dealt(9)) });
    expect(text()).toContain('dealt again');
    await rerender({ update: between() });
    await rerender({ update: next() });
    expect(text()).toBe('');
  });
  it('checks on the page of a seat, which shows the number at the end', async () => {
    open('over', {}, (u) => (u.epoch = 108, sealDeal(u, 5)));
    await vi.waitFor(() => expect(done).toContainEqual(['deal-checked', expect.anything()]), 10_000);
    expect(text()).toContain('Deal checked by 5 phones');
  });
});
