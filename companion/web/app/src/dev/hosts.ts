// Samples of the host: updates of real games, with what no game gives.
import { type Enrol, type Home, type HomeMade, type Newer, type Person, type Staff, StateFault, StateWarning, type Update,
  type Walk } from '../lib/wire';
import { GAMES } from '../games/titles';
import { aside, cards, enrolling, lost, param } from './hostparts';
import type { Row } from './office';
import { host, phone, type Samples } from './samples';

/** The people with an account; a locked device shows them and nothing else of the table. */
const staff: Person[] = [
  { id: 1, name: 'Odile', role: 'owner' },
  { id: 2, name: 'Otto', role: 'operator' },
  { id: 3, name: 'Barthélemy-François de Brie', role: 'host' },
];

/** All games can be played here. */
export function which(u: Update): Update {
  const own = u.view.offers.find((o) => o.act === 'new-game')!;
  u.view.offers = [...u.view.offers.filter((o) => o !== own), ...GAMES.map((g) => ({ ...own, fixed: { game: g.id } }))];
  return u;
}

/** Updates of the host by name. */
export const hostSamples: Samples = {
  ...host,
  lost: () => lost(['2026-11-21_23-05-40_game-11.db', '2026-11-14_22-51-02_game-10.db', '2026-11-07_23-30-00_game-9.db']),
  'lost-bare': () => lost([]),
  newer: host['coming']!,
  'newer-game': host['running']!,
  'newer-back': host['coming']!,
  home: host['coming']!,
  'secrets-choice': host['lobby']!,
  'signed-in': host['lobby']!,
  enrol: host['lobby']!,
  'enrol-conflict': host['lobby']!,
  spare: host['pick']!,
  trial: host['lobby']!,
  walk: host['lobby']!,
  which: () => which(host['empty']!()),
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
  'signed-in-game': () => {
    const u = hostSamples['running']!();
    u.view.offers = u.view.offers.filter((o) => !o.overrule && !['pause', 'light'].includes(o.act));
    return u;
  },
  ill: () => {
    const u = host['lobby']!();
    u.machine = [
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
    ];
    return u;
  },
  /** Two phones show one seat; a third uses a copied key, and so does another device for the host's page. */
  team: () => {
    const u = hostUpdate('act');
    u.table.phones = [{ seat: 2, phones: [1, 3], online: [3] }];
    u.table.asked = [2, 0];
    u.desk!.invites = [{ seat: 2, url: '', joined: true }];
    u.view.offers = u.view.offers.filter((o) => o.act !== 'add-phone');
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

/** The host's update of a name: Bruno's turn if it has no sample. */
export const hostUpdate = (name: string): Update => (hostSamples[name] ?? host['act']!)();

/** Adds to an update what every signed-in host gets. */
export function hosted(u: Update): Update {
  u.view.viewer = 'host';
  u.desk ??= { hosts: [{ n: 1, online: true }], invites: [] };
  return u;
}

/** The update of a phone that has joined the empty seat 3, with the name and character that it has asked for. */
export function guestUpdate(name = '', character = ''): Update {
  const u = phone['guest']!();
  u.guest = { seat: 3, name, character };
  return u;
}
