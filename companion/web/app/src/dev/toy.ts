// A game that no folder of games/ knows: seats take cards from two rooms and drop them in the urn.
import type { Bench } from '../gen/wire';
import type { Name, Offer, Own, Update } from '../lib/wire';
import { update } from './fixtures';

const text = (id: string): Name['text'] => ({ fr: id.replace('-', ' '), en: id.replace('-', ' ') });
const CARDS = Array.from({ length: 9 }, (_, i) => `card-${i + 1}`);
export const toyNames = (): Name[] => [
  { id: 'toy', kind: 'game', text: { fr: 'Le jouet', en: 'The toy' } },
  ...['room-a', 'room-b'].map((id): Name => ({ id, kind: 'place', text: text(id) })),
  ...CARDS.map((id): Name => ({ id, kind: 'card', text: text(id) })),
];

function toy(over: Partial<Update['view']>): Update {
  const u = update({
    game: 'toy',
    phase: 'play',
    prompt: { k: 'ui.display.turn', a: { name: 'seat-1' } },
    rule: '',
    switches: {},
    ...over,
  });
  const seats = u.view.seats.slice(0, 3).map(({ seat, name, alive, first }) => ({
    seat,
    name,
    alive,
    first,
    cards: 2,
    tokens: 0,
    destroyed: 0,
    done: false,
  }));
  const places = ['room-a', 'room-b'].map((place, i) => ({ place, open: true, cards: 1, pawns: i === 0 ? [1, 2] : [3], lamp: 'open' }));
  const clock = { at: 0, of: 0, mark: 0, open: false };
  return { ...u, table: { ...u.table, online: [] }, view: { ...u.view, clock, log: [], seats, places, ...over } }; // the host acts for all
}
const me: Own = { seat: 1, hand: ['card-1', 'card-2'].map((card) => ({ card })), tray: [], facts: [], seen: [] };
const go: Offer = { act: 'go', rule: '', params: [{ name: 'to', kind: 'place', domain: ['room-a', 'room-b'] }] };
const ring: Offer = { act: 'ring-the-bell', rule: '', params: [{ name: 'how', kind: 'value', domain: ['once', 'twice'] }] };
const sit: Offer = { act: 'sit', rule: '', params: [{ name: 'name', kind: 'text', max: 20 }] };

/** The same moments for each page. */
export const toySamples: Record<string, () => Update> = {
  'toy-lobby': () => toy({ phase: 'lobby', active: [], prompt: { k: '' }, offers: [sit] }),
  'toy-begin': () => toy({ phase: 'lobby', viewer: 'host', active: [], prompt: { k: '' }, offers: [sit, { act: 'begin', rule: '' }] }),
  'toy-play': () => toy({ readers: [{ reader: 'urn', kind: 'card', seat: 1 }] }),
  'toy-host': () => toy({ viewer: 'host', offers: [go, ring], custody: [{ of: 'seat-1', cards: 'trusted' }] }),
  'toy-seat': () => toy({ viewer: 'seat-1', me, offers: [go, ring] }),
  'toy-over': () => toy({ active: [], result: { rule: '', winners: [2], msg: { k: 'ui.display.result' } } }),
};

/** The simulated table of the toy, which agrees with its record. */
export function toyBench(u: Update): Bench {
  const spots = ['hand:seat-1', 'hand:seat-1', 'hand:seat-2', 'hand:seat-2', 'hand:seat-3', 'hand:seat-3', 'room-a', 'room-b', 'box'];
  return {
    busy: false,
    cards: CARDS.map((card, i) => ({ tag: `04${i}`, card, kind: 'card', name: text(card), spot: spots[i]!, up: false })),
    pawns: u.view.seats.map((s) => ({ seat: s.seat, place: s.seat < 3 ? 'room-a' : 'room-b' })),
    readers: ['urn', 'show'].map((role) => ({ role, plugged: true })),
    strips: [],
    players: [],
  };
}
