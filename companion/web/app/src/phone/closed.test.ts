import { describe, expect, it } from 'vitest';
import { choices, next } from '../lib/offers';
import type { Offer } from '../lib/wire';
import { update } from '../dev/fixtures';
import { fairEvening } from './closed';

const hand = ['clue-borrow-2', 'weapon-corde', 'clue-georges-1'];
const search: Offer = { act: 'search', rule: 'HC-060' };
const done: Offer = { act: 'done', rule: 'HC-065' };
const accuse = (seat: string, card: string): Offer => ({
  act: 'accuse',
  rule: 'HC-091',
  grave: true,
  fixed: { seat },
  params: [{ name: 'card', kind: 'card', domain: [card] }],
});

/** Anne (seat 1) stands with Bruno (seat 2) in round 5, and holds three clues. */
function anne(step: string, over: object = {}) {
  const u = update({
    viewer: 'seat-1',
    phase: 'investigation',
    prompt: { k: `hc.prompt.${step}.you` },
    clock: { at: 5, of: 8, mark: 5, open: true },
    mood: '',
    switches: { 'destroy-below-limit': 'allowed' },
    me: { seat: 1, role: 'role-innocent', hand: hand.map((card) => ({ card })), tray: [], facts: [], seen: [] },
  });
  u.view.seats = u.view.seats.map((s) => ({ ...s, alive: true, cards: 3, tokens: 1, destroyed: 0, place: s.seat <= 2 ? 'place-salon' : `place-${s.seat}` }));
  return { ...u.view, ...over };
}
const acts = (offers: Offer[], view = anne('act')) => choices(fairEvening(offers, view)).map((c) => c.act);

describe('what shows without a finger', () => {
  it('is the same whether the hand holds a clue of the accused or not', () => {
    expect(acts([search, accuse('seat-2', 'clue-borrow-2')])).toEqual(acts([search]));
    expect(acts([search])).toContain('accuse');
  });
  it('is the same in its order, whom of several the hand can accuse', () => {
    const view = anne('act');
    view.seats[2]!.place = 'place-salon';
    const who = (offers: Offer[]) => {
      const asked = next(choices(fairEvening(offers, view)).find((c) => c.act === 'accuse')!, {});
      return 'step' in asked && asked.step.options;
    };
    for (const seats of [[], ['seat-2'], ['seat-3'], ['seat-2', 'seat-3']]) expect(who(seats.map((s) => accuse(s, hand[0]!)))).toEqual(['seat-2', 'seat-3']);
  });
  it('is the same where nothing but an accusation could be made (HC-054)', () => {
    const view = anne('act');
    view.seats[0]!.cards = 2;
    const pass: Offer = { act: 'pass', rule: 'HC-054' };
    expect(acts([accuse('seat-2', 'clue-borrow-2')], view)).toEqual(['accuse', 'pass']);
    expect(acts([pass], view)).toEqual(['accuse', 'pass']);
  });
  it('lists the whole hand as off where nothing fits, so that nothing is sent', () => {
    const without = choices(fairEvening([search], anne('act'))).find((c) => c.act === 'accuse')!;
    const asked = next(without, {});
    expect('step' in asked && [asked.step.options, asked.step.off, asked.step.secret]).toEqual([hand, hand, true]);
  });
  it('follows what everybody knows: round, Accusation cards, who stands here, the Confrontation', () => {
    expect(acts([search], anne('act', { clock: { at: 4, of: 8, mark: 5, open: false } }))).not.toContain('accuse');
    expect(acts([search], anne('act', { mood: 'confrontation' }))).not.toContain('accuse');
    const poor = anne('act');
    poor.seats[0]!.tokens = 0;
    expect(acts([search], poor)).not.toContain('accuse');
    const alone = anne('act');
    alone.seats[1]!.place = 'place-3';
    expect(acts([search], alone)).toEqual(['search']);
  });
  it('shows the forced exchange also to a seat that has to swap first (HC-188)', () => {
    expect(acts([search])).toContain('exchange');
  });
  it('shows Destroy after taking, whatever may be destroyed, and before Done', () => {
    expect(acts([done], anne('finish'))).toEqual(['leave', 'destroy', 'done']);
    expect(acts([done], anne('finish', { switches: { 'destroy-below-limit': 'forbidden' } }))).toEqual(['leave', 'done']);
    const spent = anne('settle');
    spent.seats[0]!.destroyed = 3;
    expect(acts([], anne('settle'))).toEqual(['destroy']);
    expect(acts([], spent)).toEqual([]);
  });
  it('is the same whether the machine knows the hand or not', () => {
    const view = anne('act');
    view.me!.hand = [];
    expect(acts([search], view)).toEqual(acts([search]));
    const accusation = choices(fairEvening([search], view, ['clue-borrow-1', 'clue-borrow-2'])).find((c) => c.act === 'accuse')!;
    const asked = next(accusation, {});
    expect('step' in asked && asked.step.off).toEqual(['clue-borrow-1', 'clue-borrow-2']);
    view.seats[0]!.cards = 0; // everybody sees that there is nothing to accuse with
    expect(acts([search], view)).toEqual(['search']);
  });
  it('is every open place but this one, wherever the hand allows to go (HC-052, HC-181)', () => {
    const move = (domain: string[]): Offer => ({ act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', domain }] });
    const view = anne('move');
    const open = view.places.filter((p) => p.open && p.place !== 'place-salon').map((p) => p.place);
    expect(open.length).toBeGreaterThan(2);
    const asked = next(choices(fairEvening([move(open.slice(0, 1))], view))[0]!, {});
    expect('step' in asked && [asked.step.options, asked.step.off]).toEqual([open, []]);
  });
  it('is the same at the end of a search with three clues, for a Murderer and an Innocent (HC-181)', () => {
    const view = anne('finish');
    view.me!.hand = [];
    const innocent: Offer[] = [{ act: 'leave', rule: 'HC-062', fixed: { card: 'unnamed' } }, done];
    expect(acts([done], view)).toEqual(['leave', 'destroy', 'done']);
    expect(acts(innocent, view)).toEqual(acts([done], view));
    const destroy: Offer = { act: 'destroy', rule: 'HC-070', grave: true, params: [{ name: 'card', kind: 'card', domain: hand }] };
    expect(acts([innocent[0]!, destroy, done], view)).toEqual(acts([destroy, done], view));
    const swap: Offer = { act: 'leave', rule: 'HC-062', params: [{ name: 'card', kind: 'card', domain: ['weapon-corde'] }] };
    expect(acts([swap], anne('finish'))).toEqual(acts([done], anne('finish'))); // a hand that is known and in excess
    const two = anne('finish');
    two.seats[0]!.cards = 2;
    expect(acts([done], two)).toEqual(['destroy', 'done']);
  });
  it('is the same at the deposit of an only clue, whether or not it may be kept (HC-125)', () => {
    const deposit: Offer = { act: 'deposit', rule: 'HC-120', grave: true, fixed: { card: 'unnamed' } };
    const none: Offer = { act: 'no-deposit', rule: 'HC-125', grave: true };
    const view = anne('deposit', { phase: 'deposit' });
    view.seats[0]!.cards = 1;
    for (const offers of [[deposit], [none], [deposit, none]]) expect(acts(offers, view)).toEqual(['deposit', 'no-deposit']);
    view.seats[0]!.cards = 2;
    expect(acts([deposit], view)).toEqual(['deposit']);
  });
  it('is as many tiles for a Murderer as for an Innocent whose hands are not known (HC-123)', () => {
    const view = anne('deposit', { phase: 'deposit' });
    view.me!.hand = [];
    const deck = ['weapon-corde', 'weapon-3', 'clue-borrow-1'];
    const asked = next(
      choices(fairEvening([{ act: 'deposit', rule: 'HC-120', grave: true, params: [{ name: 'card', kind: 'card', domain: deck.slice(1) }] }], view, deck))[0]!,
      {},
    );
    expect('step' in asked && [asked.step.options, asked.step.off]).toEqual([deck, ['weapon-corde']]);
  });
});
