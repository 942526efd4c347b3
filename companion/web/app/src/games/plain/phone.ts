import Know from '../../phone/Know.svelte';
import { NEWS, SHOWN, fresh } from '../../phone/know';
import type { PhonePart } from '../parts';
import Hand from './Hand.svelte';

export const part: PhonePart = {
  peek: (view, me, read) => fresh(me.seen, view.clock.at, read, new Set([...NEWS, ...SHOWN])),
  Hand,
  Know,
  words: { cards: 'phone.manor.cards', tokens: 'ui.manor.tokens', first: 'phone.manor.first' },
};
