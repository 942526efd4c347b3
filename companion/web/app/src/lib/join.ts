// How a page becomes a seat, and how it finds its seat again.
//
// An invitation is the part of the link after # (/#j=..., for the host /host#j=...)
// and works once. What comes back, a key, is kept in localStorage under site,
// table and seat. sessionStorage says which of the kept seats a tab shows, so
// that four phones can be four tabs of one browser; /#seat=2 opens a kept seat.
import { equalBytes, fromBase64url, randomBytes, toBase64url } from './bytes';
import { codeId, newPhone } from './seal';
import type { JoinProblem, JoinRequest } from './joinseat';
import type { Site } from './site';
import { browserItem, tabItem } from './storage';

/** The rights of one phone of a seat; seat 0 is the host. */
export interface Pass {
  seat: number;
  /** Which of the seat's phones this is, from 1. */
  number: number;
  user: string;
  key: Uint8Array;
  /** This phone's name: the daemon lets in the phone that joined, and asks about any other. */
  phone: string;
  /** The invitation by which it joined, by its public name: the same link once more asks for nothing new. */
  by?: string;
  /** The game that the key is for; 0: for the first that is seen; missing: of a page from before keys were for one game. */
  game?: number;
}

// An invitation whose answer never came, kept by the tab over a reload of this page.
// The daemon may have given the seat away; to the same request, of the same phone, it
// answers the same again; a request of any other phone is announced to the whole table.
const waiting = () => tabItem(`join:${location.pathname}`);

function unanswered(): JoinRequest | undefined {
  try {
    const { code, phone, secret } = JSON.parse(waiting().get() ?? '{}') as Partial<JoinRequest>;
    return typeof code === 'string' && typeof secret === 'string' && isPhone(phone) ? { code, phone, secret } : undefined;
  } catch {
    return undefined;
  }
}

const isPhone = (name: unknown): name is string => typeof name === 'string' && /^[a-z0-9]{8,16}$/.test(name);

/** Throws on anything that is no pass. */
export function readPass(body: unknown): Pass {
  const { seat, number = 1, user, key, phone, by, game } = body as {
    seat: number;
    number?: number;
    user: string;
    key: string;
    phone: string;
    by?: string;
    game?: number;
  };
  const bytes = fromBase64url(key);
  if (!Number.isInteger(seat) || !Number.isInteger(number) || typeof user !== 'string' || bytes.length !== 32 || !isPhone(phone)) {
    throw new Error('not a pass');
  }
  return { seat, number, user, key: bytes, phone, ...(by === undefined ? {} : { by }), ...(game === undefined ? {} : { game }) };
}

const MAX_SEATS = 10;
const slotName = (site: Site, seat: number) => browserItem(`${site.base}:${seat === 0 ? 'host' : `seat-${seat}`}`);
const tabSlot = (site: Site) => tabItem(`${site.base}:me`);

/** The epoch and revision of the last view that this browser has shown of a user. */
export const highestSeen = (site: Site, user: string) => browserItem(`${site.base}:${user}:seen`);

/** A number for a connect password; it only rises, also when the phone's clock is set back. */
export function countConnect(site: Site, user: string): number {
  const last = browserItem(`${site.base}:${user}:connects`);
  const count = Math.max(Date.now(), Number(last.get() ?? 0) + 1);
  last.set(String(count));
  return count;
}

/** Keeps a new pass and makes this tab that seat. */
export function storePass(site: Site, pass: Pass): void {
  writePass(site, pass);
  highestSeen(site, pass.user).clear();
  scanned.clear();
  if (pass.seat !== 0) tabSlot(site).set(String(pass.seat));
}

/** Keeps a pass in the place of one of the same seat. */
export const writePass = (site: Site, pass: Pass) => slotName(site, pass.seat).set(JSON.stringify({ ...pass, key: toBase64url(pass.key) }));

/** A kept pass, if it can be read. */
export function loadPass(site: Site, seat: number): Pass | undefined {
  const text = slotName(site, seat).get();
  if (text === undefined) return undefined;
  try {
    const pass = JSON.parse(text) as { phone?: string };
    if (pass.phone !== undefined) return readPass(pass);
    const named = readPass({ ...pass, phone: newPhone() }); // kept by a page from before phones had names
    writePass(site, named);
    return named;
  } catch {
    return undefined;
  }
}

/** Puts the key that another tab of this phone has got meanwhile into the pass; false if there is none. */
export function takeStored(site: Site, pass: Pass): boolean {
  const stored = loadPass(site, pass.seat);
  if (stored?.user !== pass.user || stored.phone !== pass.phone || equalBytes(stored.key, pass.key)) return false;
  Object.assign(pass, stored);
  return true;
}

export function removePass(site: Site, seat: number): void {
  slotName(site, seat).clear();
  tabSlot(site).clear();
}

/** The seats this browser has joined at this table. */
export function storedSeats(site: Site): number[] {
  return Array.from({ length: MAX_SEATS }, (_, i) => i + 1).filter((seat) => loadPass(site, seat) !== undefined);
}

/** Makes this tab a kept seat. */
export function chooseSeat(site: Site, seat: number): Pass | undefined {
  const pass = loadPass(site, seat);
  if (pass) tabSlot(site).set(String(seat));
  return pass;
}

export type Arrival = { pass: Pass } | { problem: JoinProblem } | { seats: number[] } | { wall: string };

/** The code on the display that this tab has scanned; it is kept until the phone has a seat. */
export const scanned = tabItem('wall');

/**
 * Finds out who a phone's tab is: an invitation in the address first, then a
 * seat asked for, then the seat this tab had, then the only seat kept. What
 * stood behind # is removed from the address bar.
 */
export async function findArrival(site: Site, post: typeof fetch = fetch): Promise<Arrival> {
  const asked = new URLSearchParams(takeHash());
  const code = asked.get('j') ?? unanswered()?.code;
  if (code !== undefined) return useInvitation(site, code, post);
  const wall = asked.get('w');
  if (wall !== null) scanned.set(wall);
  const seats = storedSeats(site);
  const wanted = Number(asked.get('seat') ?? tabSlot(site).get() ?? (seats.length === 1 ? seats[0] : 0));
  const pass = wanted > 0 ? chooseSeat(site, wanted) : undefined;
  return pass ? { pass } : withoutSeat(seats);
}

/** What a tab without a seat shows: its request for one, or the seats kept in this browser. */
export function withoutSeat(seats: number[] = []): Arrival {
  const wall = scanned.get();
  return wall === undefined ? { seats } : { wall };
}

/** The host's way in: an invitation, or the pass kept from last time. */
export async function findHostArrival(site: Site, post: typeof fetch = fetch): Promise<Arrival> {
  const code = new URLSearchParams(takeHash()).get('j') ?? unanswered()?.code;
  if (code !== undefined) return useInvitation(site, code, post);
  const pass = loadPass(site, 0);
  return pass ? { pass } : { seats: [] };
}

async function useInvitation(site: Site, code: string, post: typeof fetch): Promise<Arrival> {
  const had = findPassByCode(site, code);
  if (had) {
    if (had.seat !== 0) chooseSeat(site, had.seat);
    return { pass: had };
  }
  const before = unanswered();
  const request = before?.code === code ? before : { code, phone: newPhone(), secret: toBase64url(randomBytes(32)) };
  waiting().set(JSON.stringify(request));
  // A phone that has its seat never loads this.
  const got = await import('./joinseat').then((m) => m.joinSeat(request, readPass, post)).catch(() => 'offline' as const);
  if (got !== 'offline' && got !== 'too-many') waiting().clear();
  if (typeof got === 'string') return { problem: got };
  const pass = { ...got, game: 0 };
  storePass(site, pass);
  return { pass };
}

/** The pass that this browser has by an invitation: its link was opened again. */
export function findPassByCode(site: Site, code: string): Pass | undefined {
  try {
    const id = codeId(code);
    return [0, ...storedSeats(site)].map((seat) => loadPass(site, seat)).find((pass) => pass?.by === id);
  } catch {
    return undefined; // no invitation at all
  }
}

/** Reads the part of the address after # and removes it of the address bar and the history. */
export function takeHash(): string {
  const hash = location.hash.slice(1);
  if (hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return hash;
}
