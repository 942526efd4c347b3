import { describe, expect, it } from 'vitest';
import { choices, next } from '../lib/offers';
import type { Offer } from '../lib/wire';
import { update } from '../dev/fixtures';
import { fairEvening } from './closed';

const hand = ['clue-borrow-2', 'weapon-corde', 'clue-georges-1'];
const search: Offer = { act: 'search', rule: 'HC-060' };
const done: Offer = { act: 'done', rule: 'HC-065' };
const accuse = (seat: string, card: string): Offer => ({ act: 'accuse', rule: 'HC-091', grave: true, fixed: { seat }, params: [{ name: 'card', kind: 'card', domain: [card] }] });

/** Anne (seat 1) stands with Bruno (seat 2) in round 5, and holds three clues. */
function anne(step: string, over: object = {}) {
  const u = update({ viewer: 'seat-1', phase: 'investigation', prompt: { k: `hc.prompt.${step}.you` }, clock: { at: 5, of: 8, mark: 5, open: true }, mood: '',
    switches: { 'destroy-below-limit': 'allowed' }, me: { seat: 1, role: 'role-innocent', hand: hand.map((card) => ({ card })), tray: [], facts: [], seen: [] } });
  u.view.seats = u.view.seats.map((s) => ({ ...s, alive: true, cards: 3, tokens: 1, destroyed: 0, place: s.seat <= 2 ? 'place-salon' : `place-${s.seat}` }));
  return { ...u.view, ...over };
}
const acts = (offers: Offer[], view = anne('act')) => choices(fairEvening(offers, view)).map((c) => c.act);

describe('what shows without a finger', () => {
  it('is the same whether the hand holds a clue of the accused or not', () => {
    expect(acts([search, accuse('seat-2', 'clue-borrow-2')]).sort()).toEqual(acts([search]).sort());
    expect(acts([search])).toContain('accuse');
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
    expect(acts([done], anne('finish'))).toEqual(['destroy', 'done']);
    expect(acts([done], anne('finish', { switches: { 'destroy-below-limit': 'forbidden' } }))).toEqual(['done']);
    const spent = anne('settle');
    spent.seats[0]!.destroyed = 3;
    expect(acts([], anne('settle'))).toEqual(['destroy']);
    expect(acts([], spent)).toEqual([]);
  });
  it('leaves a hand alone that the machine does not know', () => {
    const view = anne('act');
    view.me!.hand = [];
    expect(acts([search], view)).toEqual(['search']);
  });
});
