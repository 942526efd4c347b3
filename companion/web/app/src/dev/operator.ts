// Sample updates of the operator of a room: the next group, the sheet, the figures of all games, and the settings.
import { type Figures, type GameFigures, LayerHand, LayerPage, type Setting, type Finding, type Settings, StateFault, StateWarning,
  type Update, WIRE_VERSION } from '../lib/wire';
import { names } from './fixtures';
import { hostSamples } from './hosts';
import type { Row } from './office';

const text = (fr: string, en: string) => ({ fr, en });
const cards = names.filter((n) => n.kind === 'weapon' || n.kind === 'clue').map((n) => n.id);
const MIN = 60_000;

/** The check of the box after a group has gone; the cards of lacks are missing. */
function gate(lacks: readonly string[], more: Partial<NonNullable<Update['box']>>): Update {
  const u = hostSamples['empty']!();
  u.desk = {
    invites: [{ seat: 1, url: 'http://10.42.0.1:8080/#j=AAECAwQFBgcICQoLDA0OD1', joined: false, minutes: 9 }],
    hosts: [{ n: 1, online: true }],
    team: {},
  };
  u.notice = { n: 1, rule: 'GEN-E12', msg: { k: 'table.group.next' } };
  const of = (kind: string) => names.filter((n) => n.kind === kind).map((n) => n.id);
  u.box = {
    kinds: ['role-card', 'weapon', 'clue'].map((kind) => ({
      kind,
      seen: of(kind).filter((c) => !lacks.includes(c)).length,
      of: of(kind).length,
    })),
    missing: [...lacks],
    foreign: 0,
    gate: true,
    since: 0,
    ...more,
  };
  u.view.offers = u.view.offers.filter((o) => o.act !== 'box-check').concat({ act: 'box-check', rule: 'GEN-E09', fixed: { on: 'no' } });
  return u;
}

const day = (month: number, n: number, hour: number) => new Date(2026, month, n, hour, 5).getTime() / 1000;
const game = (n: number, began: number, more: Partial<GameFigures> = {}): GameFigures => ({
  n,
  game: 'huis-clos',
  began,
  played: 62 * MIN,
  end: 'won',
  seats: 4,
  hints: 1,
  overruled: 0,
  ...more,
});
const reset = (took: number, ...cost: [card: string, cost: number][]) => ({
  took,
  cards: cost.map(([card, n]) => ({ card, at: n, cost: n })),
});
const step = (phase: string, took: number) => ({ phase, took });

/** The figures of two months of a room. */
export const figures = (): Figures => ({
  v: WIRE_VERSION,
  games: [
    game(24, day(10, 26, 20), {
      team: 'Anniversaire de Barthélemy-François',
      winners: ['Anne', 'Barthélemy-François'],
      of: 60 * MIN,
      left: 4 * MIN,
      fromStock: { a: 1 },
      reset: reset(4 * MIN, ['clue-peely-2', 150_000], ['weapon-3', 70_000]),
      phases: [step('pick', 5 * MIN), step('investigation', 9 * MIN), step('deposit', 3 * MIN), step('reveal', MIN),
        step('recovery', 2 * MIN)],
    }),
    game(23, day(10, 26, 18), {
      end: 'time',
      hints: 4,
      of: 60 * MIN,
      fromStock: { a: 2, b: 1 },
      reset: reset(100_000, ['clue-worms-1', 90_000]),
    }),
    game(22, day(10, 25, 21), {
      game: 'cluedo-2008',
      end: 'won',
      winners: ['Chloé'],
      overruled: 1,
      phases: [step('turn', 48 * MIN)],
      hints: 0,
    }),
    ...Array.from({ length: 21 },
      (_, i) => game(21 - i, day(i < 9 ? 10 : 9, 24 - i, 20), i % 5 === 4 ? { end: 'open', played: 12 * MIN, hints: 0 } : {})),
  ],
  labels: { 'huis-clos': Object.fromEntries(names.map((n) => [n.id, n.text])) },
  stock: {
    a: text(
      'Regardez ce que chacun reprend de l’urne, il le choisit devant vous.',
      'Watch what each of you takes back from the urn. It is chosen in front of you.',
    ),
    b: text('Observer une fouille oblige à montrer l’indice pris.', 'To observe a search is to be shown the clue that is taken.'),
  },
  days: 30,
});

const values = (all: Record<string, string>, layer?: string): Setting[] =>
  Object.entries(all).map(([path, value]) => ({ path, value, ...(layer && { layer }) }));
const fault = (where: string, said: Finding['said'], fix: Finding['said'], more: Partial<Finding> = {}): Finding => ({
  about: 'configuration',
  state: StateFault,
  where,
  said,
  fix,
  help: `settings#${where.replace(/\[\d+\]\./, '-').replace(/\..*/, '')}`,
  ...more,
});

/** The settings of a table with all kinds of devices. */
const settings = (more: Partial<Settings> = {}): Settings => ({
  wrong: 0,
  file: '/etc/majordome/majordome.yaml',
  page: '/etc/majordome/majordome.page.yaml',
  values: [
    ...values({
      url: 'http://10.42.0.1:8080',
      'names[0]': 'majordome.jeu.example.org',
      remember: '60',
      'readers[0].role': 'urn',
      'readers[0].chip': 'mfrc522',
      'readers[0].spi': 'SPI0.0',
      'readers[1].role': 'show',
      'readers[1].chip': 'serial',
      'readers[1].port': '/dev/serial/by-id/usb-Majordome_lecteur_A50285BI-if00-port0',
      'strips[0].chip': 'ws2812',
      'strips[0].spi': 'SPI1.0',
      'strips[0].segments.clock': '0-7',
      'strips[0].segments.place-suite-bleue': '8-12',
    }, LayerPage),
    ...values({
      listen: ':8080',
      uplink: 'mqtts://maison.example:8883',
      account: '/etc/majordome/broker',
      home: ':1884',
      commands: 'both',
      hook: 'https://maison.example/majordome',
      secret: '/etc/majordome/hook.secret',
      'buttons[0].role': 'pause',
      'buttons[0].pin': '17',
    }, LayerHand),
  ],
  over: values({ readers: 'urn', names: '', url: 'http://table.maison.lan:8080' }, LayerHand),
  ...more,
});

/** The settings of the samples, apart from the defaults. */
const told: Readonly<Record<string, Partial<Settings>>> = {
  'settings-wrong': {
    wrong: 4,
    changes: 3,
    news: [
      text('Le fichier a été changé à la main ; la page montre ce qui y est.',
        'The file was changed by hand; the page shows what is in it.'),
    ],
    values: [
      ...values({
        uplink: 'tls://broker.maison.lan:8883',
        hook: 'http://192.168.1.40:1880/majordome',
        commands: 'on',
        'readers[0].role': 'show',
        'readers[0].chip': 'serial',
        'readers[0].port': '/dev/ttyACM7',
        'strips[0].chip': 'ws2812',
        'strips[0].spi': 'SPI0.0',
        'strips[0].segments.clock': '0-7',
        'strips[0].segments.salon': '7-12',
      }, LayerPage),
      { path: 'listen', value: ':8080', env: 'MAJORDOME_LISTEN' },
    ],
    faults: [
      fault(
        'uplink',
        text('mauvaise adresse « tls://broker.maison.lan:8883 »', 'bad address "tls://broker.maison.lan:8883"'),
        text(
          'écrivez-la comme mqtt://192.168.1.5:1883, ou mqtts://maison.example:8883 pour TLS, sans compte dedans ; un nom en .local ne va pas',
          'write it like mqtt://192.168.1.5:1883, or mqtts://home.example:8883 for TLS, without an account in it; no name in .local',
        ),
      ),
      fault(
        'hook',
        text('http sans plain', 'http without plain'),
        text('écrivez https, ou plain: true pour une adresse de chez vous', 'write https, or plain: true for an address of your own'),
      ),
      fault(
        'commands',
        text('« on » inconnu', 'unknown "on"'),
        text(
          'off, home (les comptes Home Assistant et Node-RED de `home`), uplink (qui peut y écrire, à votre serveur) ou both',
          'off, home (accounts of Home Assistant and Node-RED at `home`), uplink (whoever may write there, at your broker) or both',
        ),
      ),
      fault('readers[0].port', text('/dev/ttyACM7 n’est pas là', '/dev/ttyACM7 is not there'), text('branchez-le', 'plug it in'), {
        about: 'device',
        state: StateWarning,
        help: 'trouble#port',
      }),
      fault(
        'strips[0].segments.salon',
        text('la LED 7 est déjà à clock', 'LED 7 belongs to clock already'),
        text('une LED n’éclaire qu’une chose', 'an LED lights one thing alone'),
      ),
    ],
    found: [
      {
        said: text('Un lecteur MFRC522 v2 répond sur SPI0.1.', 'A reader MFRC522 v2 answers on SPI0.1.'),
        fix: text('', ''),
        list: 'readers',
        adds: values({ role: 'urn', spi: 'SPI0.1' }),
      },
      {
        said: text(
          'Un port série : /dev/serial/by-id/usb-1a86_USB_Serial-if00-port0 (1a86 USB Serial). Rien ne lui a été envoyé. Si c’est un nœud, interrogez-le ; si c’est un lecteur qui écrit des lignes, ajoutez-le.',
          'A serial port: /dev/serial/by-id/usb-1a86_USB_Serial-if00-port0 (1a86 USB Serial). Nothing was sent to it. If it is a node, ask it; if it is a reader that prints lines, add it.',
        ),
        fix: text('', ''),
        list: 'readers',
        adds: values({ role: 'show', chip: 'serial', port: '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0' }),
        ask: '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0',
      },
      {
        said: text('Le bus SPI est éteint.', 'The SPI bus is off.'),
        fix: text('Mettez dtparam=spi=on dans config.txt.', 'Set dtparam=spi=on in config.txt.'),
        bad: true,
        help: 'trouble#bus',
      },
    ],
  },
  'settings-game': {
    restart: true,
    changes: 1,
    byhand: '# Écrit en entier par la page de l’hôte.\ncalm: true\nreaders:\n  - role: urn\n    chip: mfrc522\n    spi: SPI0.0\n',
    mend: "sudo chgrp majordome '/etc/majordome' && sudo chmod g+w '/etc/majordome'",
  },
  'settings-closed': { wrong: 2 },
};

export const operatorSamples: Record<string, () => Update> = {
  gate: () =>
    gate([cards[1]!, cards[9]!, cards[10]!, cards[20]!, 'role-innocent-3'], {
      last: cards[12]!,
      foreign: 1,
      since: 154_000,
      where: [
        { card: cards[9]!, at: 'urn', ago: 9 * MIN, game: true },
        { card: cards[10]!, at: 'urn', ago: 9 * MIN, game: true },
        { card: cards[1]!, at: 'show', ago: 4 * MIN },
        { card: cards[20]!, at: 'place-suite-bleue', ago: 31 * MIN },
      ],
    }),
  'gate-full': () => gate([], { last: cards[9]!, since: 260_000 }),
  'gate-all': () => gate(names.filter((n) => ['role-card', 'weapon', 'clue'].includes(n.kind)).map((n) => n.id), { since: 1000 }),
  sheet: () => {
    const u = hostSamples['lobby']!();
    u.desk = {
      invites: u.view.seats.map((s) => ({ seat: s.seat, url: '', joined: true })),
      hosts: [{ n: 1, online: true }],
      team: {
        name: 'Anniversaire de Barthélemy-François',
        guests: 4,
        start: '20:30',
        lang: 'fr',
        notes: 'Gâteau à la fin ; une personne ne lit pas de loin.',
      },
      light: 'game',
    };
    return u;
  },
  evening: () => { // a game is over, and the offers for the next group are there
    const u = hostSamples['over']!();
    u.desk = { invites: [], hosts: [{ n: 1, online: true }] };
    return u;
  },
  figures: hostSamples['empty']!,
  'figures-none': hostSamples['empty']!,
  settings: hostSamples['empty']!,
  'settings-wrong': hostSamples['lobby']!,
  'settings-game': hostSamples['running']!,
  'settings-closed': hostSamples['lobby']!,
};

/** The rows of the office for a sample of the operator. */
export const offices = (sample: string): Record<string, Row> => ({
  settings: settings(told[sample]),
  ...Object.fromEntries(
    ['set', 'add', 'give-back', 'keep', 'drop', 'apply', 'close', 'search'].map((act) => [`settings-${act}`, () => settings(told[sample])]),
  ),
  support: () => ({ file: 'majordome.txt', text: '-- version --\n' }),
  home: { address: '192.168.1.20:1884', kinds: [] },
  minutes: () => ({ file: 'minutes.txt', text: '20:30:00\n' }),
  figures: () => (sample === 'figures' ? figures() : { ...figures(), games: [] }),
});
