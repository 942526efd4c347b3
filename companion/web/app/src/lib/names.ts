// The order of names in lists.

/** compareNames orders names as people do, for sort(): digits count as one number, so that place-2 comes before place-10. */
export const compareNames = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });
