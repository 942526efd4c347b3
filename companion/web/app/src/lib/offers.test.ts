import { describe, expect, it } from 'vitest';
import { asides, choices, clip, fairly, moves, next, shuffled, type Choice } from './offers';
import type { Args, Offer } from './wire';

const only = (offers: Offer[]): Choice => {
  const all = choices(offers);
  expect(all).toHaveLength(1);
  return all[0] as Choice;
};

describe('an offer', () => {
  it('without parameters is ready at once', () => {
    expect(next(only([{ act: 'search', rule: 'HC-060' }]), {})).toEqual({ args: {} });
  });
  it('with one parameter asks for it', () => {
    const move = only([{ act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', domain: ['place-salon', 'place-3'] }] }]);
    expect(next(move, {})).toEqual({ step: { name: 'place', kind: 'place', options: ['place-salon', 'place-3'], off: [], plain: [], max: 0, secret: false } });
    expect(next(move, { place: 'place-3' })).toEqual({ args: { place: 'place-3' } });
  });
  it('with a fixed argument sends it along', () => {
    expect(next(only([{ act: 'open', rule: 'HC-127', fixed: { reader: 'urn' } }]), {})).toEqual({ args: { reader: 'urn' } });
  });
  it('with several parameters asks step by step', () => {
    const sit = only([{ act: 'sit', rule: 'HC-002', params: [{ name: 'seat', kind: 'seat', domain: ['seat-1'] }, { name: 'name', kind: 'text', max: 24 }] }]);
    expect(next(sit, {})).toMatchObject({ step: { name: 'seat', options: ['seat-1'] } });
    expect(next(sit, { seat: 'seat-1' })).toMatchObject({ step: { name: 'name', kind: 'text', max: 24 } });
    expect(next(sit, { seat: 'seat-1', name: 'Zoé' })).toEqual({ args: { seat: 'seat-1', name: 'Zoé' } });
  });
});

describe('several offers of one act', () => {
  const accuse = only([
    {
      act: 'accuse',
      rule: 'HC-091',
      grave: true,
      fixed: { seat: 'seat-2' },
      params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1', 'clue-worms-2'] }],
    },
    { act: 'accuse', rule: 'HC-091', fixed: { seat: 'seat-4' }, params: [{ name: 'card', kind: 'card', domain: ['clue-peely-1'] }] },
  ]);
  it('are one button, grave if one of them is', () => {
    expect(accuse).toMatchObject({ act: 'accuse', grave: true });
  });
  it('ask for what differs, then only for what is still possible', () => {
    expect(next(accuse, {})).toMatchObject({ step: { name: 'seat', kind: 'seat', options: ['seat-2', 'seat-4'] } });
    expect(next(accuse, { seat: 'seat-4' })).toMatchObject({ step: { name: 'card', options: ['clue-peely-1'], secret: true } });
    expect(next(accuse, { seat: 'seat-4', card: 'clue-peely-1' })).toEqual({ args: { seat: 'seat-4', card: 'clue-peely-1' } });
  });
  it('lead only to arguments that one of the offers allows', () => {
    const walk = (chosen: Args): Args[] => {
      const n = next(accuse, chosen);
      return 'args' in n ? [n.args] : n.step.options.flatMap((o) => walk({ ...chosen, [n.step.name]: o }));
    };
    expect(walk({})).toEqual([
      { seat: 'seat-2', card: 'clue-worms-1' },
      { seat: 'seat-2', card: 'clue-worms-2' },
      { seat: 'seat-4', card: 'clue-peely-1' },
    ]);
  });
});

describe('what is asked in secret', () => {
  const step = (kind: string, domain: string[]) => {
    const n = next(only([{ act: 'x', rule: 'R', params: [{ name: 'p', kind, domain }] }]), {});
    return 'step' in n && n.step.secret;
  };
  it.each([['card', true], ['role', true], ['value', false], ['place', false], ['seat', false], ['character', false], ['switch', false]])(
    '%s: %s',
    (kind, secret) => {
      expect(step(kind, ['a', 'b'])).toBe(secret);
    },
  );
  it('counts fixed cards among the secrets', () => {
    const give = only(['weapon-corde', 'clue-worms-1'].map((card) => ({ act: 'give', rule: 'HC-083', fixed: { card } })));
    expect(next(give, {})).toMatchObject({ step: { kind: 'card', secret: true } });
  });
});

describe('a choice among the cards that lie open', () => {
  const shown = ['clue-worms-1', 'weapon-corde', 'weapon-7'];
  const recover = (domain: string[]): Offer => ({ act: 'recover', rule: 'HC-133', params: [{ name: 'card', kind: 'card', domain }] });
  it('is asked openly, among all of them, and is the same whatever is offered (HC-137)', () => {
    const innocent = fairly([recover(['clue-worms-1'])], { gone: [], shown });
    expect(innocent).toEqual(fairly([recover(shown)], { gone: [], shown }));
    expect(next(only(innocent), {})).toMatchObject({ step: { kind: 'shown', options: shown, secret: false } });
    expect(next(only(innocent), { card: 'weapon-7' })).toEqual({ args: { card: 'weapon-7' } });
  });
  it('does not touch one that holds a card of a hand, a place, or nothing', () => {
    const others = [recover(['clue-worms-1', 'clue-peely-1']), recover([]), {
      act: 'move',
      rule: 'HC-050',
      params: [{ name: 'place', kind: 'place', domain: ['place-3'] }],
    }, { act: 'done', rule: 'HC-065' }];
    expect(fairly(others, { gone: [], shown })).toEqual(others);
    expect(fairly([recover(['clue-worms-1'])], { gone: [], shown: [] })).toEqual([recover(['clue-worms-1'])]);
  });
});

describe('what lies face up already', () => {
  const deck = ['weapon-corde', 'weapon-7', 'clue-worms-1', 'clue-worms-2', 'clue-peely-1'];
  const show = (domain: string[]) =>
    only(
      fairly([{ act: 'show', rule: 'HC-127', params: [{ name: 'card', kind: 'card', domain }] }], {
        shown: ['weapon-7'],
        gone: ['clue-worms-2'],
      }, deck),
    );
  it('is named openly among all cards that can lie there, so that the own hand does not show as a gap', () => {
    expect(next(show(['clue-peely-1']), {})).toMatchObject({
      step: { kind: 'card', options: ['weapon-corde', 'clue-worms-1', 'clue-peely-1'], secret: false },
    });
    expect(show(['clue-peely-1'])).toEqual(show(['clue-worms-1', 'clue-peely-1']));
  });
});

describe('a choice in the own hand or in the tray', () => {
  const me = { hand: ['weapon-corde', 'clue-worms-1', 'clue-peely-1'].map((card) => ({ card })), tray: ['weapon-4', 'clue-worms-2'] };
  const deposit = (domain: string[]) =>
    only(fairly([{ act: 'deposit', rule: 'HC-120', params: [{ name: 'card', kind: 'card', domain }] }], { gone: [], shown: [], me }));
  it('lists it whole, so that its length tells no limit (HC-045), and knows which are off', () => {
    expect(next(deposit(['clue-worms-1', 'clue-peely-1']), {})).toMatchObject({
      step: { options: ['weapon-corde', 'clue-worms-1', 'clue-peely-1'], off: ['weapon-corde'], secret: true },
    });
    expect(next(deposit(['weapon-4']), {})).toMatchObject({ step: { options: ['weapon-4', 'clue-worms-2'], off: ['clue-worms-2'] } });
  });
  it('lists a domain that goes beyond as it is', () => {
    expect(next(deposit(['clue-worms-1', 'clue-peely-4']), {})).toMatchObject({ step: { options: ['clue-worms-1', 'clue-peely-4'], off: [] } });
  });
});

describe('an answer that names nothing (GEN-024)', () => {
  const named: Offer = { act: 'deposit', rule: 'HC-120', params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1'] }] };
  const unnamed: Offer = { act: 'deposit', rule: 'HC-120', fixed: { card: 'unnamed' } };
  it('stands beside the named ones, in either order', () => {
    for (const offers of [[named, unnamed], [unnamed, named]]) {
      expect(next(only(offers), {})).toMatchObject({ step: { kind: 'card', options: ['clue-worms-1'], plain: ['unnamed'], secret: true } });
      expect(next(only(offers), { card: 'unnamed' })).toEqual({ args: { card: 'unnamed' } });
    }
  });
  it('is sent at once where there is no other', () => {
    expect(next(only([unnamed]), {})).toEqual({ args: { card: 'unnamed' } });
  });
  it('can be one value of a list', () => {
    expect(next(only([{ act: 'role', rule: 'HC-005', params: [{ name: 'value', kind: 'role', domain: ['murderer', 'innocent', 'unknown'] }] }]), {}))
      .toMatchObject({ step: { options: ['murderer', 'innocent'], plain: ['unknown'], secret: true } });
  });
  it('can be to leave the argument out', () => {
    const draw = only([{ act: 'draw', rule: 'HC-083' }, { act: 'draw', rule: 'HC-083', params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1'] }] }]);
    expect(next(draw, {})).toMatchObject({ step: { options: ['clue-worms-1'], plain: [''] } });
    expect(next(draw, {}, true)).toEqual({ args: {} });
  });
});

it('sends a warning along with the arguments that it belongs to, and asks nothing about it (HC-099)', () => {
  const accuse = only(['seat-1', 'seat-2'].map((seat) => ({
    act: 'accuse',
    rule: 'HC-091',
    grave: true,
    fixed: { seat, ...(seat === 'seat-2' ? { confirm: 'known-innocent' } : {}) },
    params: [{ name: 'card', kind: 'card', domain: [`clue-worms-${seat.slice(5)}`] }],
  })));
  expect(next(accuse, {})).toMatchObject({ step: { name: 'seat', options: ['seat-1', 'seat-2'] } });
  expect(next(accuse, { seat: 'seat-1', card: 'clue-worms-1' })).toEqual({ args: { seat: 'seat-1', card: 'clue-worms-1' } });
  expect(next(accuse, { seat: 'seat-2', card: 'clue-worms-2' })).toEqual({ args: { seat: 'seat-2', card: 'clue-worms-2', confirm: 'known-innocent' } });
});

it('keeps what mends the record apart from the moves', () => {
  const offers: Offer[] = [{ act: 'move', rule: '' }, { act: 'hold', rule: '', aside: true }];
  expect([moves(offers), asides(offers)]).toEqual([[offers[0]], [offers[1]]]);
});

it('keeps the order of the offers', () => {
  expect(choices(['a', 'b', 'a', 'c'].map((act) => ({ act, rule: '' }))).map((c) => c.act)).toEqual(['a', 'b', 'c']);
});

it.each([['Zoé', 3, 'Zo'], ['Zoé', 4, 'Zoé'], ['🎩🎩', 5, '🎩'], ['abc', 0, 'abc']])('clips %s to %i bytes', (text, max, want) => {
  expect(clip(text, max)).toBe(want);
});

it('shuffles without losing anything', () => {
  const list = [1, 2, 3, 4, 5];
  expect(shuffled(list).sort()).toEqual(list);
  expect(shuffled(list, () => 0)).not.toEqual(list);
});
