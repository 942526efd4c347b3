// Sample updates of the host, for looking at the host's page and for its tests.
import { type Enrol, type Home, type HomeMade, type Newer, type Offer, type Param, type Person, type Staff, StateFault, StateWarning,
  type Update, type Walk } from '../lib/wire';
import { clueHosts } from './cluehosts';
import { samples, switches } from './fixtures';
import { GAMES } from '../games/titles';
import { aside, asking, before, cards, coming, enrolling, ids, lit, lobby, lost, offer, param, running, seatIds, table,
  unnamed } from './hostparts';
import type { Row } from './office';

/** The people with an account; a locked device shows them and nothing else of the table. */
const staff: Person[] = [
  { id: 1, name: 'Odile', role: 'owner' },
  { id: 2, name: 'Otto', role: 'operator' },
  { id: 3, name: 'Barthélemy-François de Brie', role: 'host' },
];

/** Updates of the host by name, for src/dev. */
/** All games can be played here. */
export function which(u: Update): Update {
  const own = u.view.offers.find((o) => o.act === 'new-game')!;
  u.view.offers = [...u.view.offers.filter((o) => o !== own), ...GAMES.map((g) => ({ ...own, fixed: { game: g.id } }))];
  return u;
}

export const hostSamples: Record<string, () => Update> = {
  lost: () => lost(['2026-11-21_23-05-40_game-11.db', '2026-11-14_22-51-02_game-10.db', '2026-11-07_23-30-00_game-9.db']),
  asking: () => asking(1, ['Bruno', 'Chloé', 'Barthélemy-François']),
  coming: () => coming(1, ['Bruno', 'Chloé', '', 'Barthélemy-François']),
  'lost-bare': () => lost([]),
  newer: () => hostSamples['coming']!(),
  'newer-game': () => hostSamples['running']!(),
  'newer-back': () => hostSamples['coming']!(),
  home: () => hostSamples['coming']!(),
  running: () =>
    lit(running(before('pick', 'hc.prompt.pick', [2], 0), () => [unnamed('keep', 'HC-022'), aside('pause'), aside('alarm')]), 'game'),
  unlock: () => {
    const u = hostSamples['running']!();
    u.view.offers.push({ ...aside('unlock-secrets'), rule: 'GEN-002', grave: true });
    return u;
  },
  secrets: () => {
    const u = hostSamples['running']!();
    const clues = ids('clue');
    u.view.viewer = 'overseer';
    delete u.view.custody;
    u.overseen = { by: 'host' };
    u.view.offers.push({ ...aside('cover-secrets'), rule: 'GEN-002' });
    u.view.secrets = [
      ...u.view.seats.map((s, i) => ({
        of: `seat-${s.seat}`,
        role: i === 2 ? 'role-murderer' : `role-innocent-${i + 1}`,
        cards: clues.slice(3 * i, 3 * i + 3),
        ...(i === 1 ? { said: clues.slice(30, 31) } : {}),
      })),
      ...u.view.places.slice(0, 4).map((p, i) => ({ of: p.place, cards: [ids('weapon')[i]!, ...clues.slice(20 + i, 21 + i)] })),
      { of: 'urn', by: 2, cards: clues.slice(25, 26) },
      { of: '', cards: clues.slice(27, 29) },
    ];
    return u;
  },
  'secrets-choice': () => {
    const u = hostSamples['lobby']!();
    u.view.offers.push({ ...aside('secrets'), rule: 'GEN-002', fixed: { on: 'yes' } });
    return u;
  },
  locked: () => {
    const u = hostSamples['running']!();
    u.view.offers = [aside('alarm')];
    delete u.desk;
    return u;
  },
  'locked-tried': () => {
    const u = hostSamples['locked']!();
    u.view.offers.push({ ...aside('host-end'), grave: true, fixed: { device: '2' } });
    return u;
  },
  'signed-in': () => hostSamples['lobby']!(),
  'signed-in-game': () => {
    const u = hostSamples['running']!();
    u.view.offers = u.view.offers.filter((o) => !o.overrule && !['pause', 'light'].includes(o.act));
    return u;
  },
  hints: () => {
    const u = hostSamples['running']!();
    const whom = param('to', 'value', ['all', 'display', ...seatIds(u)]);
    const text = (fr: string, en: string) => ({ fr, en });
    const stock = [
      text(
        'Regardez ce que chacun reprend de l’urne, il le choisit devant vous.',
        'Watch what each of you takes back from the urn. It is chosen in front of you.',
      ),
      text('Observer une fouille oblige à montrer l’indice pris. Servez-vous-en.',
        'To observe a search is to be shown the clue that is taken. Use it.'),
    ].map((text, i) => ({ id: `huis-clos-${i + 1}`, text }));
    u.view.offers.push(
      { ...aside('hints'), params: [param('most', 'value', ['off', 'free', '1', '2', '5', '10'])] },
      { ...aside('hint'), params: [whom, { name: 'text', kind: 'text', max: 200 }] },
      { ...aside('hint'), params: [whom, param('stock', 'value', stock.map((s) => s.id))] },
      ...['1', '2'].map((n) => ({ ...aside('hint-back'), fixed: { n } })),
      { ...aside('hint-no'), fixed: { seat: 'seat-2' } },
    );
    u.desk!.hints = {
      most: '3',
      given: 2,
      asked: [{ seat: 2, since: 190_000 }],
      sent: [
        {
          n: 1,
          to: 'all',
          by: 'host',
          ago: 600_000,
          text: text('Changez de piste, celle-ci a donné tout ce qu’elle avait.', 'Try another trail. This one has given all it had.'),
        },
        { n: 2, to: 'seat-3', by: 'host.2', ago: 60_000, text: text('Cherchez sous le lit.', '') },
      ],
      stock,
    };
    return u;
  },
  timer: () => {
    const u = hostSamples['running']!();
    const value = (name: string, ...domain: string[]): Param => param(name, 'value', domain);
    const fine = (of: string): Offer => ({
      ...aside('countdown-fines'),
      fixed: { for: of },
      params: [value('seconds', '0', '30', '60', '120', '300')],
    });
    u.view.offers.push(
      { ...aside('countdown'), params: [value('minutes', '30', '45', '60', '75', '90', '120')] },
      { ...aside('countdown-add'), params: [value('seconds', '-300', '-60', '60', '300')] },
      { ...aside('countdown-add'), fixed: { bonus: 'yes' }, params: [value('seconds', '60', '300')] },
      { ...aside('countdown-end'), grave: true },
      fine('hint'),
      fine('wrong'),
    );
    u.count = { left: 754_000, of: 3_600_000, runs: true };
    u.desk!.timing = { minutes: 60, hint: 120, wrong: 300 };
    return u;
  },
  'timer-over': () => {
    const u = hostSamples['timer']!();
    u.count = { left: 0, of: 3_600_000 };
    u.paused = { k: 'table.paused.time' };
    u.hold = { by: 'clock', over: true };
    u.view.offers = [
      { act: 'resume', rule: 'GEN-001' },
      ...u.view.offers.filter((o) => o.act === 'countdown'),
      { ...table[1]!, grave: false },
    ];
    return u;
  },
  'timer-lobby': () => {
    const u = lit(lobby(4), 'game');
    u.view.offers.push({ ...aside('countdown'), params: [param('minutes', 'value', ['0', '30', '45', '60', '75', '90', '120'])] });
    u.desk!.timing = { minutes: 60, hint: 0, wrong: 0 };
    return u;
  },
  watch: () => {
    const u = hostSamples['hints']!();
    u.waited = 310_000;
    u.table.readers = { ...u.table.readers, show: 'lost' };
    u.desk!.watch = {
      still: 0,
      away: [{ seat: 4, since: 65_000 }],
      lost: [{ reader: 'show', since: 130_000 }],
      wrong: [{ reader: 'urn', n: 3 }],
    };
    return u;
  },
  held: () => {
    const u = running(before('pick', 'hc.prompt.pick', [2], 0), () => []);
    u.paused = { k: 'table.paused.host' };
    u.hold = { by: 'host.2' };
    u.view.offers = [{ act: 'resume', rule: 'GEN-001' }];
    return lit(u, 'white');
  },
  lobby: () => lobby(4),
  empty: () => lobby(0),
  which: () => which(lobby(0)),
  three: () => lobby(3, (u) => u.view.seats.forEach((s) => (s.first = false))),
  ill: () => {
    const u = lobby(4, (u) => (u.machine = [
      {
        about: 'disk',
        state: StateFault,
        help: 'trouble#disk',
        said: { fr: 'La carte mémoire est pleine : il reste 3 Mio.', en: 'The memory card is full: 3 MiB are left.' },
        fix: {
          fr: 'Effacez d’anciennes sauvegardes, ou d’autres fichiers de la carte mémoire.',
          en: 'Delete old backups, or other files of the memory card.',
        },
      },
      {
        about: 'card',
        state: StateWarning,
        help: 'trouble#card-file',
        said: {
          fr: 'wifi.txt, ligne 1 : deux réglages sur une ligne : écrivez chacun sur la sienne ; celle-ci n’est pas lue.',
          en: 'wifi.txt, line 1: two settings on one line: write each on a line of its own; this one is not read.',
        },
        fix: { fr: 'Corrigez ce fichier sur un ordinateur, puis redémarrez.', en: 'Mend this file on a computer, then restart.' },
      },
      {
        about: 'heat',
        state: StateWarning,
        help: 'trouble#heat',
        said: { fr: 'Le processeur est à 83 °C.', en: 'The processor is at 83 °C.' },
        fix: { fr: 'Laissez-lui de l’air, ou donnez-lui un radiateur.', en: 'Give it air, or a heat sink.' },
      },
      {
        about: 'date',
        state: StateWarning,
        help: 'trouble#date',
        said: {
          fr: 'Cet ordinateur n’a pas été mis à l’heure : la partie n’en dépend pas, mais les dates des sauvegardes seront fausses.',
          en: 'Nobody has set the clock of this computer: no game depends on it, but the dates of backups will be wrong.',
        },
        fix: {
          fr:
            'Reliez-le une fois à Internet, ou mettez-le à l’heure d’un appareil en haut de la page de l’hôte (ou : sudo date -s "2026-12-24 20:00").',
          en:
            'Connect it to the internet once, or set it to the time of a device at the top of the host’s page (or: sudo date -s "2026-12-24 20:00").',
        },
      },
    ]));
    return u;
  },
  joined: () => lobby(4, (u) => (u.table.online = [1, 2, 3, 4])),
  rules: () => lobby(4, (u) => (u.view.switches = switches({ 'post-game-debrief': 'on', 'rounds-exhausted': 'nobody' }))),
  enrol: () => lobby(4),
  'enrol-conflict': () => lobby(4),
  spare: () => running(before('pick', 'hc.prompt.pick', [2], 0), () => [unnamed('keep', 'HC-022')]),
  box: () =>
    lobby(4, (u) => (u.box = {
      kinds: [{ kind: 'role-card', seen: 8, of: 8 }, { kind: 'weapon', seen: 6, of: 7 }, { kind: 'clue', seen: 29, of: 32 }],
      missing: ['weapon-tisonnier', 'clue-borrow-3', 'clue-peely-1', 'clue-peely-4'],
      last: 'clue-worms-2',
      foreign: 1,
    })),
  trial: () => lobby(4),
  walk: () => lobby(4),
  'box-full': () =>
    lobby(
      4,
      (
        u,
      ) => (u.box = {
        kinds: [{ kind: 'role-card', seen: 8, of: 8 }, { kind: 'weapon', seen: 7, of: 7 }, { kind: 'clue', seen: 32, of: 32 }],
        missing: [],
        last: 'clue-worms-2',
        foreign: 0,
      }),
    ),
  'box-start': () =>
    lobby(
      0,
      (
        u,
      ) => (u.box = {
        kinds: [{ kind: 'role-card', seen: 0, of: 8 }, { kind: 'weapon', seen: 0, of: 7 }, { kind: 'clue', seen: 0, of: 32 }],
        missing: [...ids('role-card'), ...cards],
        foreign: 0,
      }),
    ),
  roles: () => {
    const u = running(before('roles', 'hc.prompt.roles', [2], 0),
      () => [offer('draw-roles', 'HC-005'), offer('role', 'HC-005', [], { value: 'unknown' })]);
    u.view.seats[0]!.done = true;
    u.view.readers = [{ reader: 'show', kind: 'role-card', seat: 2 }];
    delete u.view.custody;
    return u;
  },
  laying: () => {
    const u = running(before('laying', 'hc.prompt.laying.host', [], 0), () => [offer('laid', 'HC-009'), offer('deal', 'HC-009')]);
    u.view.readers = [{ reader: 'show', kind: 'clue', seat: 0 }];
    return u;
  },
  pick: () => running(before('pick', 'hc.prompt.pick', [2], 0), () => [unnamed('keep', 'HC-022')]),
  move: () =>
    running(
      { active: [2], prompt: { k: 'hc.prompt.move', a: { seat: 'seat-2' } } },
      () => [offer('move', 'HC-050', [param('place', 'place', ['place-suite-bleue', 'place-salon', 'place-4', 'place-6', 'place-7'])])],
    ),
  act: () =>
    running({ active: [2], prompt: { k: 'hc.prompt.act', a: { seat: 'seat-2' } } }, () => [
      offer('search', 'HC-060'),
      offer('exchange', 'HC-081', [param('seat', 'seat', ['seat-1', 'seat-3'])]),
      { act: 'accuse', rule: 'HC-091', grave: true, fixed: { seat: 'seat-1' }, params: [param('card', 'card', ids('clue').slice(0, 4))] },
      {
        act: 'accuse',
        rule: 'HC-091',
        grave: true,
        fixed: { seat: 'seat-3', confirm: 'known-innocent' },
        params: [param('card', 'card', ids('clue').slice(8, 12))],
      },
    ]),
  phone: () =>
    running(
      { active: [1], prompt: { k: 'hc.prompt.act', a: { seat: 'seat-1' } } },
      () => [offer('search', 'HC-060'), offer('exchange', 'HC-081', [param('seat', 'seat', ['seat-3'])])],
    ),
  settle: () =>
    running({ active: [2], prompt: { k: 'hc.prompt.settle', a: { seat: 'seat-2' } } }, () => [
      unnamed('leave', 'HC-062'),
      { act: 'destroy', rule: 'HC-070', grave: true, params: [param('card', 'card', ids('clue').slice(4))] },
      offer('done', 'HC-065'),
      offer('observe', 'HC-110', [param('seat', 'seat', ['seat-4'])]),
    ]),
  deposit: () =>
    running({
      phase: 'deposit',
      active: [2],
      urn: 1,
      prompt: { k: 'hc.prompt.deposit', a: { seat: 'seat-2' } },
      readers: [{ reader: 'urn', kind: 'clue', seat: 2 }],
    }, () => [unnamed('deposit', 'HC-120'), offer('no-deposit', 'HC-125')]),
  urn: () =>
    running({
      phase: 'reveal',
      active: [2],
      urn: 4,
      shown: ['weapon-3', 'clue-peely-2'],
      prompt: { k: 'hc.prompt.reveal', a: { seat: 'seat-2' } },
    }, (u) => [
      offer('show', 'HC-127', [param('card', 'card', cards.filter((c) => !u.view.shown.includes(c)))]),
      offer('shown', 'HC-127'),
    ]),
  turned: () =>
    running(
      { phase: 'recovery', active: [2], prompt: { k: 'hc.prompt.recovery', a: { seat: 'seat-2' } } },
      () => [offer('role', 'HC-131', [param('value', 'value', ['murderer', 'innocent'])])],
    ),
  count: () => {
    const u = running({ mood: 'count', active: [2], urn: 1, prompt: { k: 'hc.prompt.act', a: { seat: 'seat-2' } } }, () => []);
    u.view.offers = [
      ...[...seatIds(u), ...u.view.places.map((p) => p.place as string), 'urn'].map((of) =>
        offer('count-is', 'GEN-E09', [param('n', 'value', Array.from({ length: 13 }, (_, i) => String(i)))], { of })
      ),
      offer('counted', 'GEN-E09'),
      ...table,
    ];
    return u;
  },
  /** Two phones show one seat; a third uses a copied key, and so does another device for the host's page. */
  team: () => {
    const u = hostUpdate('act');
    u.table.phones = [{ seat: 2, phones: [1, 3], online: [3] }];
    u.table.asked = [2, 0];
    u.desk!.invites = [{ seat: 2, url: '', joined: true }];
    u.view.offers.push(
      {
        act: 'end-phone',
        rule: 'GEN-E12',
        aside: true,
        grave: true,
        fixed: { seat: 'seat-2' },
        params: [param('phone', 'value', ['1', '3'])],
      },
      { act: 'add-phone', rule: 'GEN-E12', aside: true, params: [param('seat', 'seat', ['seat-2'])] },
      ...['seat-2', 'host'].map((seat) => ({ act: 'cut-phone', rule: 'GEN-E12', aside: true, fixed: { seat } })),
    );
    return u;
  },
  /** The host has two devices, and two more ask for the page. */
  hosts: () => {
    const u = hostUpdate('lobby');
    u.desk!.hosts = [{ n: 1, online: true }, { n: 2, kind: 'ipad', online: false }];
    u.desk!.pleas = [{ code: '4821', kind: 'android', minutes: 0 }, { code: '0077', minutes: 2 }];
    u.view.offers.push(
      ...['4821', '0077'].flatMap((code) =>
        ['host-admit', 'host-deny'].map((act) => ({ act, rule: 'GEN-011', aside: true, fixed: { code } }))
      ),
      { act: 'host-end', rule: 'GEN-011', aside: true, grave: true, fixed: { device: '2' } },
    );
    return u;
  },
  vote: () => {
    const u = hostSamples['act']!();
    u.vote = { by: 3, agreed: [3, 1], of: [1, 2, 3, 4] };
    return u;
  },
  over: () => {
    const u = running({}, () => []);
    const end = samples['over']!();
    u.view = { ...end.view, viewer: 'host', offers: [table[0]!, { ...table[1]!, grave: false }] };
    return u;
  },
  ...clueHosts,
};

/** A stick has brought a newer version. */
const brought: Newer = {
  said: { fr: 'La version 0.6.0 est là ; la 0.5.2 tourne.', en: 'Version 0.6.0 is here; 0.5.2 is running.' },
  fix: { fr: 'La clé USB peut être retirée.', en: 'The stick can be taken out.' },
  changes: ['Three house rules for Super Cluedo.',
    'A node that is plugged in during a game is found within a second, whichever port it has come to.'],
  sum: '5f'.repeat(32),
};

/** The rows of an enrolment. */
const enrolRows = (enrol: Enrol): Record<string, Row> => ({
  enrol,
  'enrol-open': () => null,
  'enrol-end': () => null,
  'enrol-pick': () => null,
  'enrol-do': () => null,
  'enrol-list': () => ({ file: 'majordome-cards.txt', text: '04A1B2C3D4E5F6, weapon-corde\n' }),
  'enrol-read': () => ({ new: 2, same: 37, moved: 0 }),
  'enrol-take': () => null,
});

/** The rows of the office for each sample of the host. */
export const hostOffices: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  ill: { clock: true, 'clock-set': () => null },
  walk: {
    walk: {
      asks: { k: 'host.walk.place', a: { strip: '1', part: 'place-salon' } },
      strips: [{ lost: false, frames: 51_234, losses: 1 }, { lost: true, frames: 0, losses: 2 }],
    } satisfies Walk,
    'walk-next': () => null,
    'walk-end': () => null,
  },
  home: {
    home: {
      address: '192.168.1.20:1884',
      kinds: [
        { id: 'tasmota', topic: 'lampe' },
        { id: 'esphome', topic: 'lampe' },
        { id: 'zigbee2mqtt', topic: 'zigbee2mqtt' },
        { id: 'home-assistant' },
        { id: 'node-red' },
        { id: 'look' },
        { id: 'free', topic: 'atelier/#' },
      ],
      accounts: [
        { name: 'lampe-salon', kind: 'tasmota', topic: 'salon', online: 1, asked: [{ what: 'read', topic: 'cmnd/#', times: 12 }] },
        {
          name: 'maison',
          kind: 'home-assistant',
          online: 0,
          asked: [{ what: 'write', topic: 'majordome/1/house/table/state', times: 1 }, { what: 'login', times: 3 }],
        },
      ],
    } satisfies Home,
    'home-add': () => ({ name: 'lampe-salon', word: 'N7XK2M4QWZ5TBL3RVHJ6YDPAGE' } satisfies HomeMade),
    'home-drop': () => null,
  },
  locked: { people: { people: staff } satisfies Staff },
  'locked-tried': {
    people: {
      people: staff,
      tried: [{ device: 2, kind: 'ipad', wrong: 7, names: ['Odile', 'Barthélemy-François de Brie'] }],
    } satisfies Staff,
  },
  'signed-in': { people: { me: staff[0]!, idle: 600, people: staff } satisfies Staff, 'people-set': () => null, 'people-drop': () => null },
  'signed-in-game': { people: { me: staff[2]!, idle: 600 } satisfies Staff },
  enrol: enrolRows(enrolling({ last: 'kept', tag: '04A1B2C3D4E5F6', card: cards[2]! }, 'skip', 'back', 'undo')),
  'enrol-conflict': enrolRows(
    enrolling({ last: 'conflict', tag: '04A1B2C3D4E5F6', card: cards[0]!, conflict: true }, 'skip', 'back', 'move', 'leave', 'undo'),
  ),
  spare: enrolRows(enrolling({ list: 'spare', short: [], asked: cards[5]! }, 'undo')),
  newer: { newer: brought, 'newer-install': () => null },
  'newer-game': { newer: brought, 'newer-install': () => null },
  'newer-back': {
    newer: {
      said: {
        fr: 'La version 0.6.0 n’a pas démarré à temps. La version 0.5.2 est de nouveau là, avec ses données d’avant.',
        en: 'Version 0.6.0 did not start in time. Version 0.5.2 is back, with its data of before.',
      },
      fix: {
        fr: 'Signalez-le à qui vous l’a donnée, avec le fichier pour qui vous aide.',
        en: 'Tell who gave it to you, with the file for who helps you.',
      },
    } satisfies Newer,
  },
};

/** The host's update of a name: a sample of the host's own, or a public one with a host's offers. */
export function hostUpdate(name: string): Update {
  const u = hostSamples[name]?.() ??
    (samples[name] ? { ...samples[name](), view: { ...samples[name]().view, offers: table } } : hostSamples['act']!());
  return name.startsWith('locked') ? u : hosted(u);
}

/** Adds the parts of an update that every signed-in host gets. */
export function hosted(u: Update): Update {
  u.view.viewer = 'host';
  if (u.view.seats.length > 0 && !u.view.offers.some((o) => o.act === 'invite')) {
    u.view.offers = [...u.view.offers, { act: 'invite', rule: 'GEN-011', grave: true, params: [param('seat', 'seat', seatIds(u))] }];
  }
  u.desk ??= {
    hosts: [{ n: 1, online: true }],
    invites: u.view.seats.map((s) => {
      const joined = u.table.online.includes(s.seat);
      return {
        seat: s.seat,
        url: joined ? '' : `http://192.168.1.20:8080/#j=Q29uZ3JhdHVsYXRpb2${s.seat}`,
        joined,
        minutes: joined ? 0 : 9,
      };
    }),
  };
  return u;
}

/** The update of a phone that has joined the empty seat 3, with the name and character that it has asked for. */
export function guestUpdate(name = '', character = ''): Update {
  const u = lobby(2);
  const sit = u.view.offers.find((o) => o.act === 'sit')!;
  u.view.viewer = 'seat-3';
  u.view.offers = [{ ...sit, params: sit.params!.filter((p) => p.kind !== 'seat') }];
  u.guest = { seat: 3, name, character };
  return u;
}
