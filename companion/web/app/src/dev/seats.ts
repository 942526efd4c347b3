// Sample updates of one seat, for looking at the phone and for its tests.
import type { Offer, Update } from '../lib/wire';
import { update } from './fixtures';

const places = ['place-salon', 'place-3', 'place-4', 'place-7'];
const move: Offer = { act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', domain: places }] };
const hand = ['clue-borrow-2', 'weapon-corde', 'clue-georges-1'];

function seat(over: Partial<Update['view']> = {}): Update {
  const u = update({ viewer: 'seat-3', active: [3], offers: [move], prompt: { k: 'ui.display.turn', a: { name: 'seat-3' } }, ...over });
  u.view.me ??= { seat: 3, role: 'role-innocent-2', hand: hand.map((card) => ({ card })), tray: [], facts: [] };
  u.view.log = [...u.view.log, { n: 6, round: 5, msg: { k: 'ui.card.kills', a: { place: 'place-salon' } }, own: true }];
  return u;
}

export const seatSamples: Record<string, () => Update> = {
  move: () => seat(),
  act: () =>
    seat({
      offers: [
        { act: 'search', rule: 'HC-060' },
        { act: 'exchange', rule: 'HC-081', params: [{ name: 'seat', kind: 'seat', domain: ['seat-1', 'seat-2'] }] },
        {
          act: 'accuse', rule: 'HC-091', grave: true,
          params: [{ name: 'seat', kind: 'seat', domain: ['seat-1'] }, { name: 'card', kind: 'card', domain: ['clue-borrow-2'] }],
        },
      ],
    }),
  search: () =>
    seat({
      me: { seat: 3, role: 'role-murderer', hand: hand.map((card) => ({ card })), tray: ['clue-worms-1', 'weapon-4', 'clue-peely-3', 'clue-lecomte-4', 'clue-williams-1'], facts: [{ k: 'ui.manor.crime' }] },
      offers: [{ act: 'take', rule: 'HC-061', params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1', 'weapon-4', 'clue-peely-3', 'clue-lecomte-4', 'clue-williams-1'] }] }],
      readers: [{ reader: 'show', kind: 'clue', seat: 3 }],
    }),
  deposit: () => {
    const u = seat({
      offers: [{ act: 'deposit', rule: 'HC-120', grave: true, params: [{ name: 'card', kind: 'card', domain: hand }] }],
      readers: [{ reader: 'urn', kind: 'clue', seat: 3 }],
    });
    u.notice = { n: 3, msg: { k: 'gen.again', a: { seat: 'seat-3' } }, rule: 'HC-122', private: true };
    return u;
  },
  recover: () =>
    seat({
      phase: 'recovery', shown: ['clue-worms-1', 'weapon-corde', 'weapon-4', 'clue-peely-3'],
      offers: [{ act: 'recover', rule: 'HC-133', params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1', 'clue-peely-3'] }] }],
      readers: [{ reader: 'show', kind: 'clue', seat: 3 }],
    }),
  wait: () => {
    const u = seat({ active: [1], offers: [{ act: 'observe', rule: 'HC-110' }], prompt: { k: 'ui.display.turn', a: { name: 'seat-1' } } });
    u.table = { readers: { urn: 'lost', show: 'ok' }, online: [1, 3] };
    return u;
  },
  paused: () => {
    const u = seat();
    u.paused = { k: 'ui.banner.lost' };
    return u;
  },
  first: () => seat({ clock: { at: 0, of: 8, mark: 5, open: false }, active: [3], offers: [{ act: 'role', rule: 'HC-005', params: [{ name: 'value', kind: 'value', domain: ['murderer', 'innocent'] }] }], me: { seat: 3, hand: [], tray: [], facts: [] } }),
};
