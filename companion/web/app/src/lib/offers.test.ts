import { describe, expect, it } from 'vitest';
import { choices, clip, next, openly, shuffled, type Choice } from './offers';
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
    expect(next(move, {})).toEqual({ step: { name: 'place', kind: 'place', options: ['place-salon', 'place-3'], max: 0, secret: false } });
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
    { act: 'accuse', rule: 'HC-091', grave: true, fixed: { seat: 'seat-2' }, params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1', 'clue-worms-2'] }] },
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
  it.each([['card', true], ['value', true], ['place', false], ['seat', false], ['character', false], ['switch', false]])('%s: %s', (kind, secret) => {
    expect(step(kind, ['a', 'b'])).toBe(secret);
  });
  it('counts fixed cards among the secrets', () => {
    const give = only(['weapon-corde', 'clue-worms-1'].map((card) => ({ act: 'give', rule: 'HC-083', fixed: { card } })));
    expect(next(give, {})).toMatchObject({ step: { kind: 'card', secret: true } });
  });
});

describe('a choice among the cards that lie open', () => {
  const shown = ['clue-worms-1', 'weapon-corde', 'weapon-7'];
  const recover = (domain: string[]): Offer => ({ act: 'recover', rule: 'HC-133', params: [{ name: 'card', kind: 'card', domain }] });
  it('is asked openly, among all of them, and is the same whatever is offered (HC-137)', () => {
    const innocent = openly([recover(['clue-worms-1'])], shown);
    expect(innocent).toEqual(openly([recover(shown)], shown));
    expect(next(only(innocent), {})).toMatchObject({ step: { kind: 'shown', options: shown, secret: false } });
    expect(next(only(innocent), { card: 'weapon-7' })).toEqual({ args: { card: 'weapon-7' } });
  });
  it('does not touch one that holds a card of a hand, a place, or nothing', () => {
    const others = [recover(['clue-worms-1', 'clue-peely-1']), recover([]), { act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', domain: ['place-3'] }] }, { act: 'done', rule: 'HC-065' }];
    expect(openly(others, shown)).toEqual(others);
    expect(openly([recover(['clue-worms-1'])], [])).toEqual([recover(['clue-worms-1'])]);
  });
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
