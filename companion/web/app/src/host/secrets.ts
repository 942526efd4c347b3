// Which phones of seats this browser is, too: a player must not see the secrets.
import { toBase64url } from '../lib/bytes';
import { loadPass, storedSeats } from '../lib/join';
import { phoneNonce } from '../lib/seal';
import { siteHere } from '../lib/site';

/** Their marks, as the daemon knows them. */
export function phoneMarks(): string {
  const site = siteHere();
  if (site === undefined) return '';
  return storedSeats(site).flatMap((seat) => {
    const pass = loadPass(site, seat);
    return pass ? [toBase64url(phoneNonce(pass.phone))] : [];
  }).join(',');
}
