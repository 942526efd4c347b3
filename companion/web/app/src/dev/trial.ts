// The reader test of the host's samples.
import type { Trial } from '../lib/wire';
import type { Row } from './office';

/** The program's finding about a phone at a reader. */
const stray = {
  fr:
    'la puce 08A1B2C3 ne convient pas : son numéro change à chaque lecture (téléphone, carte bancaire) : prenez une puce qui a son propre numéro, comme une NTAG213',
  en:
    'tag 08A1B2C3 will not do: its number changes at each reading (a phone, a bank card): take a tag with a number of its own, such as an NTAG213',
};

const meters: Trial['meters'] = [
  {
    role: 'urn',
    tags: ['04A1B2C3D4E5F6'],
    lost: false,
    measured: true,
    reads: 82,
    looks: 100,
    garbled: 7,
    cards: 61,
    noisy: 3,
    losses: 0,
    uptime: 4211,
  },
  { role: 'show', tags: [], lost: true, measured: true, reads: 0, looks: 100, garbled: 0, cards: 12, noisy: 0, losses: 1, uptime: 0 },
  {
    role: 'enrol',
    tags: ['08A1B2C3'],
    strays: [stray],
    lost: false,
    measured: false,
    reads: 0,
    looks: 100,
    garbled: 0,
    cards: 0,
    noisy: 0,
    losses: 0,
    uptime: 4211,
  },
];

/** The rows of the office for a sample with a reader test. */
export const trials = (sample: string): Record<string, Row> => ({
  readers: sample === 'trial' ? { on: true, meters } : { on: false },
  'readers-try': () => null,
});
