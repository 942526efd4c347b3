// The order of names in lists.
const collator = new Intl.Collator(undefined, { numeric: true });

/** compareNames orders names as people do, for sort(): digits count as one number, so that place-2 stands before place-10. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b);
