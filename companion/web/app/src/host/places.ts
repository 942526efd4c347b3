/** Where the manual explains what this page finds wrong by itself; of the rest the daemon says it (cmd/majordome/manual, whose test compares the two). */
export const PLACES = {
  watch: 'mishaps#look-after',
  reader: 'trouble#device',
  lost: 'care#lost',
  pin: 'trouble#host',
  newer: 'care#update',
  home: 'house#nothing',
} as const;

/** The same of each pause that is a fault and has no box of its own, by what is said of it. */
export const PAUSES: Readonly<Record<string, string>> = {
  'table.paused.full': 'trouble#disk',
  'table.paused.gone': 'care#lost',
  'table.paused.saved': 'care#lost',
  'table.paused.store': 'trouble#storage',
};
