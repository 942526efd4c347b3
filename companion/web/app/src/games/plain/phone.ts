import { PRIVATE_WAYS, SHOWN, newestSighting } from '../../phone/know';
import type { PhonePart } from '../parts';
import Hand from './Hand.svelte';

export const part: PhonePart = {
  peek: (view, me, read) => newestSighting(me.seen, view.clock.at, read, new Set([...PRIVATE_WAYS, ...SHOWN])),
  Hand,
  loadKnow: () => import('../../phone/Know.svelte'),
  words: { cards: 'phone.manor.cards', tokens: 'ui.manor.tokens', first: 'phone.manor.first' },
};
