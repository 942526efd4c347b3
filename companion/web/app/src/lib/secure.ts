// The same pages by https, for a phone that has installed the certificate of this table (/trust). What a page keeps
// is kept for one origin, so a phone goes over before it takes a seat, and never after.
import type { Site } from './site';

const PATIENCE = 1500; // ms to wait for an answer: the device may not trust the certificate

/** Whether there is anything to gain here: the table serves https, and this page came without. */
export const canChange = (site: Site | undefined, page: Pick<Location, 'protocol'> = location): boolean =>
  (site?.https ?? 0) > 0 && page.protocol === 'http:';

/** The https address of this page, if this phone trusts the table's certificate; undefined: stay here. */
export async function findSaferPage(
  site: Site,
  page: Pick<Location, 'protocol' | 'hostname' | 'pathname' | 'hash'> = location,
  get: typeof fetch = fetch,
): Promise<string | undefined> {
  if (!canChange(site, page)) return undefined;
  const origin = `https://${page.hostname}${site.https === 443 ? '' : `:${site.https}`}`;
  try {
    await get(`${origin}/trusted`, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
    return origin + page.pathname + page.hash;
  } catch {
    return undefined; // no trust; the player sees no error
  }
}
