import { fairly } from '../../lib/offers';
import { fairEvening } from '../../phone/closed';
import Hand from '../../phone/Hand.svelte';
import Know from '../../phone/Know.svelte';
import { fresh } from '../../phone/know';
import type { PhonePart } from '../parts';

export const part: PhonePart = {
  acts(offers, view, deck) {
    const clues = deck.ids('weapon', 'clue');
    return fairly(fairEvening(offers, view, clues.filter((c) => !view.gone.includes(c))), view, clues);
  },
  mends: (offers, view) => fairly(offers, view),
  peek: (view, me, read) => fresh(me.seen, view.clock.at, read),
  Hand,
  Know,
  words: { cards: 'ui.manor.cards', tokens: 'ui.manor.tokens', first: 'ui.manor.first' },
  prompted: (view) => view.prompt.k === 'hc.prompt.settle.you', // a clue too many
  brief: (act) => (act === 'observe' ? 'phone.window' : undefined),
};
