// Sample updates of the host in a Cluedo.
import type { Case, Offer, Param, Update } from '../lib/wire';
import { clueNames, clueSamples } from './clue';
import { offer, param, table, unnamed } from './hostparts';

/** Bruno's turn, with some of it changed. */
function clue(over: Partial<Case> = {}, view: Partial<Update['view']> = {}): Update {
  const u = clueSamples['c-start']!();
  Object.assign(u.view.case!, over);
  Object.assign(u.view, view);
  return u;
}

const clueIds = (...kinds: string[]): string[] => clueNames().filter((n) => kinds.includes(n.kind)).map((n) => n.id);
const cardOf = (name: string): Param => param(name, 'card', clueIds(name));
const rolls = ['?', '2', '3', '4', '5', '6'].flatMap((a, i, all) => all.slice(i).map((b) => `${a}+${b}`));
const squares = Array.from({ length: 24 }, (_, i) => `${8 + (i % 8)},${8 + Math.floor(i / 8)}`);
const seatsOf = (name: string, ...n: number[]): Param => param(name, 'seat', n.map((x) => `seat-${x}`));
/** The offers of the host of a Cluedo in any turn. */
const mendCase: Offer[] = [
  { act: 'count', rule: 'GEN-E09', aside: true },
  { act: 'lost', rule: 'GEN-E09', aside: true, params: [seatsOf('seat', 2, 3)] },
  { act: 'seen', rule: 'GEN-E09', aside: true, params: [param('card', 'card', clueIds('suspect', 'weapon', 'room'))] },
  ...table.map((o) => (o.act === 'new-game' ? { ...o, fixed: { game: 'cluedo-2008' } } : o)),
];
function clueHost(u: Update, offers: Offer[], prompt: string, online: number[] = [1, 3]): Update {
  u.table.online = online;
  Object.assign(u.view, {
    offers: [...offers, ...mendCase],
    prompt: { k: `cl.prompt.${prompt}`, a: { seat: `seat-${u.view.active[0] ?? 0}`, other: 'seat-2' } },
  });
  return u;
}

/** Updates of the host of a Cluedo by name. */
export const clueHosts: Record<string, () => Update> = {
  'c-lobby': () => {
    const u = clueHost(
      clue({ step: '' }, {
        phase: 'lobby',
        active: [],
        log: [],
        clock: { at: 0, of: 0, mark: 0, open: false },
        places: [],
        gone: [],
        seats: clueSamples['c-start']!().view.seats.slice(0, 3),
      }),
      [
        offer('sit', 'C8-003', [seatsOf('seat', 4, 5, 6), { name: 'name', kind: 'text', max: 24 },
          param('character', 'character', clueIds('suspect').slice(3))]),
        offer('rise', 'C8-001', [seatsOf('seat', 1, 2, 3)]),
        offer('begin', 'C8-001'),
        offer('box-check', 'GEN-E09', [], { on: 'yes' }),
        table[1]!,
      ],
      'lobby.host',
    );
    u.view.offers = u.view.offers.filter((o) => o.aside !== true);
    return u;
  },
  'c-envelope': () =>
    clueHost(
      clue({}, {
        phase: 'dealing',
        clock: { at: 0, of: 0, mark: 0, open: false },
        active: [],
        log: [],
        readers: [{ reader: 'show', kind: 'mystery-card', seat: 0 }],
      }),
      [offer('sealed', 'C8-004'), offer('deal', 'C8-004')],
      'envelope.host',
    ),
  'c-alarm': () => {
    const u = clueHost(
      clue({}, { phase: 'dealing', mood: 'alarm', clock: { at: 0, of: 0, mark: 0, open: false }, active: [], log: [] }),
      [{ ...offer('redeal', 'GEN-E13'), grave: true }, { ...offer('count', 'GEN-E09'), grave: true }],
      'alarm.host',
    );
    u.view.offers = u.view.offers.filter((o) => o.aside !== true);
    u.notice = { n: 9, msg: { k: 'gen.alarm.deal' }, rule: 'GEN-E13', signal: 'again', reader: 'show' };
    return u;
  },
  'c-dealing': () => clueHost(clueSamples['c-dealing']!(), [offer('dealt', 'C8-004')], 'dealing'),
  'c-starting': () =>
    clueHost(clue({}, { phase: 'starting', clock: { at: 0, of: 8, mark: 8, open: false } }), [
      offer('roll', 'C8-011', [param('dice', 'dice', rolls)]),
      offer('roll', 'C8-011'),
      offer('first', 'C8-011', [seatsOf('seat', 1, 2, 3, 4)]),
    ], 'starting'),
  'c-start': () =>
    clueHost(
      clue(),
      [offer('roll', 'C8-041', [param('dice', 'dice', rolls)]), offer('roll', 'C8-041'), offer('passage', 'C8-053'),
        offer('stay', 'C8-097')],
      'start',
    ),
  'c-draw': () => clueHost(clueSamples['c-seven']!(), [offer('draw', 'C8-131', [], { kind: 'time' }), unnamed('draw', 'C8-130')], 'draw'),
  'c-move': () =>
    clueHost(clueSamples['c-move']!(), [
      offer('move', 'C8-041', [param('to', 'place', ['room-salon', 'room-salle-de-projection'])]),
      offer('move', 'C8-041', [param('to', 'square', squares)]),
    ], 'move'),
  'c-act': () =>
    clueHost(clueSamples['c-pool']!(), [offer('hypothesis', 'C8-070', [cardOf('suspect'), cardOf('weapon')]), offer('peek', 'C8-061'), {
      ...offer('accuse', 'C8-110', [cardOf('suspect'), cardOf('weapon'), cardOf('room')]),
      grave: true,
    }, offer('end', 'C8-033')], 'act'),
  'c-answer': () =>
    clueHost(
      clueSamples['c-answer']!(),
      [
        unnamed('answer', 'C8-081'),
        offer('none', 'C8-082'),
        offer('play', 'C8-157', [param('card', 'card', ['butler-no-answer-1'])], { for: 'seat-2' }),
        offer('play', 'C8-157', [param('card', 'card', ['butler-no-answer-1'])], { for: 'seat-3' }),
      ],
      'answer',
      [2, 3],
    ),
  'c-shown': () =>
    clueHost(clueSamples['c-shown']!(), [
      offer('pass', 'C8-035', [seatsOf('for', 1, 3, 4)]),
      offer('play', 'C8-156', [param('card', 'card', ['butler-see-card-1'])], { for: 'seat-3' }),
      offer('power', 'C8-170', [], { for: 'seat-4' }),
    ], 'shown'),
  'c-verdict': () =>
    clueHost(clue({ step: 'verdict' }), [{
      ...offer('verdict', 'C8-112', [param('value', 'value', ['right', 'wrong', 'void'])]),
      grave: true,
    }], 'verdict'),
  'c-win': () => clueHost(clueSamples['c-win']!(), [], 'over'),
};
