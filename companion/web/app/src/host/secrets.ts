// Which phones of seats this browser is, too: a player must not see the secrets.
import { toBase64url } from '../lib/bytes';
import { kept, keptSeats } from '../lib/join';
import { phoneNonce } from '../lib/seal';
import { siteHere } from '../lib/site';

/** Their marks, as the daemon knows them. */
export function marks(): string {
  const site = siteHere();
  if (site === undefined) return '';
  return keptSeats(site).flatMap((seat) => {
    const pass = kept(site, seat);
    return pass ? [toBase64url(phoneNonce(pass.phone))] : [];
  }).join(',');
}
