import Hand from '../../phone/Hand.svelte';
import { newestSighting } from '../../phone/know';
import type { PhonePart } from '../parts';

export const part: PhonePart = {
  peek: (view, me, read) => newestSighting(me.seen, view.clock.at, read),
  Hand,
  loadKnow: () => import('../../phone/Know.svelte'),
  numbered: true,
  // The plain word is for what is wanted nearly always: to take, and no more.
  button: (o, all) => (o.act === 'take' && all.some((x) => x.act === 'take-last') ? 'take-more' : ''),
  next: { search: ['take-last', 'take'] },
  dealt: ({ me, seats }, leaves) => ({
    items: seats.map((s) => `seat-${s.seat}`),
    whole: false, // roles that were read have the order of reading
    facts: me?.role && leaves === seats.length ? [`seat-${me.seat} ${me.role}`] : [],
  }),
  words: { cards: 'ui.manor.cards', tokens: 'ui.manor.tokens', first: 'ui.manor.first' },
  prompted: (view) => /^hc\.prompt\.settle\..*you$/.test(view.prompt.k), // a clue too many
  brief: (act) => (act === 'observe' ? 'phone.window' : undefined),
};
