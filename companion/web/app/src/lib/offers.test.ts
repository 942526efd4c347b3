import { describe, expect, it } from 'vitest';
import { listCorrections, listChoices, clipText, gameMoves, nextStep, findRefusal, shuffled, type Choice } from './offers';
import type { Args, Offer } from './wire';

const only = (offers: Offer[]): Choice => {
  const all = listChoices(offers);
  expect(all).toHaveLength(1);
  return all[0] as Choice;
};

describe('an offer', () => {
  it('without parameters is ready at once', () => {
    expect(nextStep(only([{ act: 'search', rule: 'HC-060' }]), {})).toEqual({ args: {} });
  });
  it('with one parameter asks for it', () => {
    const move = only([{ act: 'move', rule: 'HC-050', params: [{ name: 'place', kind: 'place', domain: ['place-salon', 'place-3'] }] }]);
    expect(nextStep(move, {})).toEqual({
      step: { name: 'place', kind: 'place', options: ['place-salon', 'place-3'], off: [], plain: [], max: 0, secret: false },
    });
    expect(nextStep(move, { place: 'place-3' })).toEqual({ args: { place: 'place-3' } });
  });
  it('with a fixed argument sends it along', () => {
    expect(nextStep(only([{ act: 'open', rule: 'HC-127', fixed: { reader: 'urn' } }]), {})).toEqual({ args: { reader: 'urn' } });
  });
  it('with several parameters asks step by step', () => {
    const sit = only([{
      act: 'sit',
      rule: 'HC-002',
      params: [{ name: 'seat', kind: 'seat', domain: ['seat-1'] }, { name: 'name', kind: 'text', max: 24 }],
    }]);
    expect(nextStep(sit, {})).toMatchObject({ step: { name: 'seat', options: ['seat-1'] } });
    expect(nextStep(sit, { seat: 'seat-1' })).toMatchObject({ step: { name: 'name', kind: 'text', max: 24 } });
    expect(nextStep(sit, { seat: 'seat-1', name: 'Zoé' })).toEqual({ args: { seat: 'seat-1', name: 'Zoé' } });
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
    expect(nextStep(accuse, {})).toMatchObject({ step: { name: 'seat', kind: 'seat', options: ['seat-2', 'seat-4'] } });
    expect(nextStep(accuse, { seat: 'seat-4' })).toMatchObject({ step: { name: 'card', options: ['clue-peely-1'], secret: true } });
    expect(nextStep(accuse, { seat: 'seat-4', card: 'clue-peely-1' })).toEqual({ args: { seat: 'seat-4', card: 'clue-peely-1' } });
  });
  it('lead only to arguments that one of the offers allows', () => {
    const walk = (chosen: Args): Args[] => {
      const n = nextStep(accuse, chosen);
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
    const n = nextStep(only([{ act: 'x', rule: 'R', params: [{ name: 'p', kind, domain }] }]), {});
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
    expect(nextStep(give, {})).toMatchObject({ step: { kind: 'card', secret: true } });
  });
});

describe('what this seat alone knows to be forbidden', () => {
  const [all, why] = [['weapon-corde', 'clue-worms-1', 'clue-peely-1'], { rule: 'HC-122', why: { k: 'hc.no.kills' } }];
  const deposit: Offer = { act: 'deposit', rule: 'HC-120', params: [{ name: 'card', kind: 'card', all, no: [{ ...why, at: [0] }] }] };
  const accuse = (seat: string, at: number[]): Offer => ({
    act: 'accuse',
    rule: 'HC-091',
    fixed: { seat },
    params: [{ name: 'card', kind: 'card', all, no: [{ ...why, at }] }],
  });

  it('is listed with the rest, so that the length of a list tells no limit (HC-045), and is known to be off', () => {
    expect(nextStep(only([deposit]), {})).toMatchObject({ step: { options: all, off: ['weapon-corde'], secret: true } });
    expect(findRefusal(only([deposit]), { card: 'weapon-corde' })).toMatchObject(why);
    expect(findRefusal(only([deposit]), { card: 'clue-peely-1' })).toBeUndefined();
  });
  it('hangs on what has been chosen before', () => {
    const choice = only([accuse('seat-1', [0, 1, 2]), accuse('seat-2', [0, 1])]);
    expect(nextStep(choice, {})).toMatchObject({ step: { name: 'seat', options: ['seat-1', 'seat-2'], off: [] } });
    expect(nextStep(choice, { seat: 'seat-1' })).toMatchObject({ step: { options: all, off: all } });
    expect(nextStep(choice, { seat: 'seat-2' })).toMatchObject({ step: { options: all, off: ['weapon-corde', 'clue-worms-1'] } });
  });
  it('can be an act without a choice', () => {
    const done = only([{ act: 'done', rule: 'HC-065', no: why }]);
    expect(nextStep(done, {})).toEqual({ args: {} });
    expect(findRefusal(done, {})).toEqual(why);
  });
  it('is nothing that another offer of the same act allows', () => {
    const play: Offer = {
      act: 'play',
      rule: 'C8-034',
      params: [{ name: 'card', kind: 'card', all: ['butler-stay'], no: [{ ...why, at: [0] }] }],
    };
    const may: Offer = { act: 'play', rule: 'C8-152', params: [{ name: 'card', kind: 'card', domain: ['butler-replay-1'] }] };
    expect(nextStep(only([may, play]), {})).toMatchObject({ step: { options: ['butler-replay-1', 'butler-stay'], off: ['butler-stay'] } });
  });
});

it.each([[true, false], [undefined, true]])('a card or a role that all may hear (%s) is a secret: %s', (aloud, secret) => {
  for (const kind of ['card', 'role']) {
    expect(
      nextStep(only([{ act: 'role', rule: 'HC-131', params: [{ name: 'value', kind, domain: ['a', 'b'], ...(aloud ? { aloud } : {}) }] }]),
        {}),
    ).toMatchObject(
      { step: { secret } },
    );
  }
});

describe('an answer that names nothing (GEN-024)', () => {
  const named: Offer = { act: 'deposit', rule: 'HC-120', params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1'] }] };
  const unnamed: Offer = { act: 'deposit', rule: 'HC-120', fixed: { card: 'unnamed' } };
  it('stands beside the named ones, in either order', () => {
    for (const offers of [[named, unnamed], [unnamed, named]]) {
      expect(nextStep(only(offers), {})).toMatchObject({
        step: { kind: 'card', options: ['clue-worms-1'], plain: ['unnamed'], secret: true },
      });
      expect(nextStep(only(offers), { card: 'unnamed' })).toEqual({ args: { card: 'unnamed' } });
    }
  });
  it('is sent at once where there is no other', () => {
    expect(nextStep(only([unnamed]), {})).toEqual({ args: { card: 'unnamed' } });
  });
  it('can be one value of a list', () => {
    expect(
      nextStep(
        only([{ act: 'role', rule: 'HC-005', params: [{ name: 'value', kind: 'role', domain: ['murderer', 'innocent', 'unknown'] }] }]),
        {},
      ),
    )
      .toMatchObject({ step: { options: ['murderer', 'innocent'], plain: ['unknown'], secret: true } });
  });
  it('can be to leave the argument out', () => {
    const draw = only([{ act: 'draw', rule: 'HC-083' }, {
      act: 'draw',
      rule: 'HC-083',
      params: [{ name: 'card', kind: 'card', domain: ['clue-worms-1'] }],
    }]);
    expect(nextStep(draw, {})).toMatchObject({ step: { options: ['clue-worms-1'], plain: [''] } });
    expect(nextStep(draw, {}, true)).toEqual({ args: {} });
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
  expect(nextStep(accuse, {})).toMatchObject({ step: { name: 'seat', options: ['seat-1', 'seat-2'] } });
  expect(nextStep(accuse, { seat: 'seat-1', card: 'clue-worms-1' })).toEqual({ args: { seat: 'seat-1', card: 'clue-worms-1' } });
  expect(nextStep(accuse, { seat: 'seat-2', card: 'clue-worms-2' })).toEqual({
    args: { seat: 'seat-2', card: 'clue-worms-2', confirm: 'known-innocent' },
  });
});

it('keeps what mends the record apart from the moves', () => {
  const offers: Offer[] = [{ act: 'move', rule: '' }, { act: 'hold', rule: '', aside: true }];
  expect([gameMoves(offers), listCorrections(offers)]).toEqual([[offers[0]], [offers[1]]]);
});

it('keeps the order of the offers', () => {
  expect(listChoices(['a', 'b', 'a', 'c'].map((act) => ({ act, rule: '' }))).map((c) => c.act)).toEqual(['a', 'b', 'c']);
});

it.each([['Zoé', 3, 'Zo'], ['Zoé', 4, 'Zoé'], ['🎩🎩', 5, '🎩'], ['abc', 0, 'abc']])('clips %s to %i bytes', (text, max, want) => {
  expect(clipText(text, max)).toBe(want);
});

it('shuffles without losing anything', () => {
  const list = [1, 2, 3, 4, 5];
  expect(shuffled(list).sort()).toEqual(list);
  expect(shuffled(list, () => 0)).not.toEqual(list);
});
