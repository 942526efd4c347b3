// How this phone adds to the seed of the dice and of the deal (wire.Seed), as package proof computes it: it commits to a random
// part in the lobby, opens it when all are bound, and checks later that the game has begun with just that.
import { fromBase64url, randomBytes, toBase64url, toHex } from '../lib/bytes';
import type { Args, Seed, Update } from '../lib/wire';
import { hash } from './deal';

const hashOf = (part: string): string => toHex(hash(4, fromBase64url(part)));

/** All that is bound: it stays the same from the moment when parts may be opened. A part, too, may begin with the "-" of a hash. */
const boundIn = ({ table, phones = [] }: Seed): string =>
  [table, ...phones.map((p) => p.replace(/:(?!-.{64}$)(.*)/, (_, part: string) => `:-${hashOf(part)}`))].join();

export interface Step {
  /** What the phone keeps: game, table, part, state ("ok" once begun with it, "lost" if not), and what was bound when it opened its part. */
  kept: string;
  /** The act to send, with its arguments. */
  send?: [string, Args];
  /** Whether this game has not begun with the part that this phone has opened. */
  wrong: boolean;
}

/** The next step of the phone with this name. */
export function addToSeed({ view, proof }: Update, name: string, kept: string): Step {
  const seed = proof?.seed;
  const now = String(proof?.game);
  let [game, table, part = '', state = '', bound = ''] = kept.split(' ');
  const step = (send?: [string, Args], wrong = state === 'lost'): Step => ({
    kept: [game, table, part, state, bound].join(' '),
    wrong,
    ...send && { send },
  });
  if (view.phase !== 'lobby') {
    if (game !== now || bound === '') return { kept, wrong: false };
    const right = seed !== undefined && boundIn(seed) === bound && seed.phones?.includes(`${name}:${part}`) === true;
    if (right && state === '') state = 'ok';
    return step(undefined, !right || state === 'lost');
  }
  if (seed === undefined) return { kept, wrong: false };
  if (game !== now || table !== seed.table) {
    state = game === now && (state === 'lost' || (bound !== '' && state === '')) ? 'lost' : '';
    [game, table, part, bound] = [now, seed.table, toBase64url(randomBytes(16)), ''];
  }
  const own = hashOf(part);
  const isBound = seed.phones?.includes(`${name}:-${own}`) === true;
  if (seed.open !== true) return step(isBound ? undefined : ['seed-hash', { hash: own }]);
  const all = boundIn(seed);
  if (!isBound || (bound !== '' && bound !== all)) return step();
  bound = all;
  return step(['seed-part', { part }]);
}
