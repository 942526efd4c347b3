import type { HostPart } from '../parts';

export const part: HostPart = {
  least: 4, // HC-001
  first: () => true, // the oldest player begins
  after: { roles: 'roles', laying: 'clues', pick: 'pick' },
  cards: 'host.custody.n',
  inGame: (view, box) => box('clue') + box('weapon') - view.gone.length - view.shown.length,
};
