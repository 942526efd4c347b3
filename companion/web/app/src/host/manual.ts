/**
 * The places of the manual for problems that this page finds; for the others the daemon names the place (cmd/majordome/manual,
 * whose test compares the two).
 */
export const PLACES = {
  watch: 'mishaps#look-after',
  reader: 'trouble#device',
  lost: 'care#lost',
  pin: 'trouble#host',
  newer: 'care#update',
  home: 'house#nothing',
} as const;

/** The same for each pause that is a fault and has no box of its own on the page, by the key of its sentence. */
export const PAUSES: Readonly<Record<string, string>> = {
  'table.paused.full': 'trouble#disk',
  'table.paused.gone': 'care#lost',
  'table.paused.saved': 'care#lost',
  'table.paused.store': 'trouble#storage',
};
