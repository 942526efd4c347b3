// The voice of a page: what puts keys, messages and ids into the words of the
// chosen language. lib/language.svelte.ts is one; tests bring their own.
import type { Msg, Name } from './wire';
import type { Key } from './words';

export interface Voice {
  t(key: Key, args?: Record<string, string | number>): string;
  say(msg: Msg): string;
  label(id: string): string;
  /** How many things of a kind the deck has. */
  count(kind: string): number;
  /** What is public about an id of the deck. */
  name(id: string): Pick<Name, 'kind' | 'of' | 'within' | 'plan'> | undefined;
}
