import { SHOWN, newestSighting } from '../../phone/know';
import type { Key } from '../../lib/words';
import type { Asking, PhonePart } from '../parts';
import Hand from './CaseHand.svelte';
import Top from './CaseTop.svelte';
import Dice from './Dice.svelte';
import Names from './Names.svelte';
import { labelKey } from './case';
import { dealtFacts } from './dealt';

const ASKING: Readonly<Record<string, Asking>> = { dice: Dice, weapon: Names };

// The prompts where the program has dealt the cards: they send no player to a reader.
const UNREAD: Readonly<Record<string, Key>> = {
  'cl.prompt.answer.you': 'phone.unread.answer',
  'cl.prompt.draw.you': 'phone.unread.draw',
  'cl.prompt.draw.clue.you': 'phone.unread.clue',
  'cl.prompt.draw.clue.you.first': 'phone.unread.clue.first',
  'cl.prompt.draw.clue.you.second': 'phone.unread.clue.second',
  'cl.prompt.look.you': 'phone.unread.look',
  'cl.prompt.neighbour.you': 'phone.unread.neighbour',
};

export const part: PhonePart = {
  button: labelKey,
  large: 'move-said',
  holding: 'dealt',
  next: { move: ['hypothesis'], passage: ['hypothesis'] },
  // The turn often passes as soon as a card is shown: it waits once around the table.
  peek: (view, me, read) => newestSighting(me.seen, Math.max(0, ...view.log.map((l) => l.round)), read, SHOWN, view.seats.length - 1),
  Top,
  Hand,
  loadKnow: () => import('./Notebook.svelte'),
  sheet: true,
  words: { cards: 'phone.manor.cards', tokens: 'phone.manor.butlers', first: 'phone.manor.first' },
  piles: (view, voice) =>
    view.case === undefined || view.case.pile + view.case.pool === 0
      ? ''
      : voice.t(view.places.some((p) => voice.name(p.place)?.kind === 'pool') ? 'phone.manor.piles' : 'phone.clue.pile', {
        pile: view.case.pile,
        pool: view.case.pool,
      }),
  lying: (view, place) => [
    ...(view.case?.tokens ?? []).filter((t) => t.at === place).map((t) => t.weapon),
    ...(view.case?.pawns ?? []).filter((p) => p.at === place && !p.gone && !view.seats.some((s) => s.character === p.suspect)).map((p) =>
      p.suspect
    ),
  ],
  limited: true,
  dealt: (view, _, mystery) => dealtFacts(view, mystery),
  unread: (view) => (view.case?.virtual === true ? UNREAD[view.prompt.k] : undefined),
  prompted: (view) => view.case?.step !== 'displaced',
  brief: (act,
    view) => (act === 'pass' && view.case?.step === 'shown' ? 'phone.window.shown' : act === 'observe' ? 'phone.window' : undefined),
  ask: (params) => ASKING[['dice', 'weapon'].find((p) => params.includes(p)) ?? ''],
  loadGoals: () => import('./Where.svelte'),
};
