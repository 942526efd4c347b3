const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** A length of time: 1 h 05, 12 min, 45 s. */
export function formatLength(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 90) return `${s} s`;
  const m = Math.round(s / 60);
  return m < 60 ? `${m} min` : `${Math.floor(m / 60)} h ${twoDigits(m % 60)}`;
}
