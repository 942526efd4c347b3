import type { HostPart } from '../parts';
import Goals from './Where.svelte';

export const part: HostPart = {
  least: 3, // C8-001
  two: { prompt: 'cl.prompt.lobby.two.host', rules: [['two-players', 'on'], ['mode', 'two-player']] },
  first: () => false, // the dice say who begins (C8-011)
  after: {},
  cards: 'host.custody.count',
  inGame(view, box) {
    const open = view.seats.reduce((sum, s) => sum + (s.alive ? 0 : s.cards), 0); // murdered hands
    return box('suspect') + box('weapon') + box('room') - 3 - open; // three are in the envelope
  },
  Goals,
};
