// An office with sample values for its rows.
import { Office } from '../office/office.svelte';
import type { Args, Naming, OfficeAnswer, OfficeRequest } from '../lib/wire';
import { names } from './fixtures';

/** The value of a row, or a function that does it. An Error refuses: its message is the key of the sentence, its cause the arguments. */
export type Row = unknown | ((args: Args) => unknown);

/** An office with these rows; asked is called with every act. */
export function sampleOffice(rows: Record<string, Row>, asked: (row: string, args: Args) => void = () => {}): Office {
  const see = (row: string, args: Args): OfficeAnswer => {
    const of = rows[row];
    if (typeof of === 'function') asked(row, args);
    const value = typeof of === 'function' ? (of as (args: Args) => unknown)(args) : of;
    if (value instanceof Error) return { why: { k: value.message, ...(value.cause ? { a: value.cause as Args } : {}) } };
    return { value: value ?? null, seen: 'x' };
  };
  const office = new Office(async ({ row = '', args = {}, watch }: OfficeRequest, signal) => {
    if (!watch) return see(row, args);
    const news = Object.entries(watch).filter(([, seen]) => seen === '');
    if (news.length === 0) await new Promise((_, end) => signal?.addEventListener('abort', () => end(new Error('ended'))));
    return { rows: Object.fromEntries(news.map(([name]) => [name, see(name, {})])) };
  });
  office.rows = Object.keys(rows);
  return office;
}

const done = (): null => null;

/** The rows of a table without accounts. */
export const nobody: Record<string, Row> = { people: {}, 'people-set': done, 'people-drop': done };

/** The names of a box in the lobby; one with a ! in it is refused. */
export const naming = (): Record<string, Row> => ({
  names: {
    ids: ['place', 'weapon', 'character', 'clue'].flatMap((kind) => names.filter((n) => n.kind === kind).map((n) => n.id)),
    lobby: true,
    own: true,
  } satisfies Naming,
  'names-set': (args: Args) => (Object.values(args).some((v) => v.includes('!')) ? new Error('hc.no.name') : null),
  'names-pair': done,
  'names-adopt': done,
  'names-reset': done,
});
