// The key of a seat is for one game: how a phone gets the next one (package pair, "A key for each game").
import { randomBytes, toBase64url } from './bytes';
import { type Pass, countConnect, loadPass, readPass, takeStored, writePass } from './join';
import { joinSeat } from './joinseat';
import { SeatKey } from './seal';
import type { Site } from './site';

/** Puts the key for this game into the pass, and keeps it. False if the key stays as it is; nothing is lost then. */
export async function renewKey(site: Site, pass: Pass, game: number, post: typeof fetch = fetch): Promise<boolean> {
  if (takeStored(site, pass)) return true;
  if (pass.game === 0) {
    writePass(site, Object.assign(pass, { game }));
    return false;
  }
  const key = new SeatKey(pass.key);
  const fresh = key.password(`${pass.user}/renew`, countConnect(site, pass.user)); // an old request is no use to anybody
  const request = { code: key.renewalCode(), phone: pass.phone, secret: toBase64url(randomBytes(32)), fresh };
  const got = await joinSeat(request, readPass, post);
  if (typeof got === 'string' || got.user !== pass.user) return false;
  if (takeStored(site, pass)) return true;
  if (!loadPass(site, pass.seat)) return false; // the seat was given up meanwhile
  writePass(site, Object.assign(pass, { key: got.key, game }));
  return true;
}
