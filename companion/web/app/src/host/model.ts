// The host's page, worked out from the host's update: the public view, the
// offers of a host, and how the seats join. A host sees no secret of the game;
// the links of the invitations are secrets of their seats.
import type { Args, Offer, Update } from '../lib/wire';

/** Offers by the part of the page that shows them; whatever is not known goes to `now`. */
export interface Desk {
  now: Offer[]; // what moves the game on, and public acts of the active seat
  sit: Offer[];
  first: Offer[];
  switches: Offer[];
  table: Offer[]; // undo, new game
}

const PARTS: Readonly<Record<string, keyof Desk>> = {
  sit: 'sit', first: 'first', switch: 'switches', undo: 'table', 'new-game': 'table',
};
const IN_ROWS = new Set(['rise', 'invite']); // one seat each: in the list of players

/** Sorts the offers; none is lost. */
export function desk(offers: readonly Offer[]): Desk {
  const d: Desk = { now: [], sit: [], first: [], switches: [], table: [] };
  for (const o of offers) {
    if (!IN_ROWS.has(o.act)) d[PARTS[o.act] ?? 'now'].push(cautious(o));
    else if (!seatParam(o)) d.now.push(o);
  }
  return d;
}

/** Undo is announced to all and cannot be undone: it is always confirmed. */
const cautious = (o: Offer): Offer => (o.act === 'undo' ? { ...o, grave: true } : o);

const seatParam = (o: Offer): readonly string[] | undefined =>
  o.params?.length === 1 && o.params[0]?.kind === 'seat' ? (o.params[0].domain ?? []) : undefined;

/** One player as the host needs them. */
export interface SeatRow {
  seat: number;
  name: string;
  character: string;
  first: boolean;
  alive: boolean;
  active: boolean;
  /** A phone has taken the seat. */
  joined: boolean;
  /** That phone is connected now. */
  online: boolean;
  /** The invitation that waits for a phone. */
  url: string;
  /** The acts offered for this seat alone. */
  rise?: Args;
  invite?: Args;
}

export function seatRows(update: Update): SeatRow[] {
  const { view, table, desk: joins } = update;
  const forSeat = (act: string, seat: number): Args | undefined => {
    for (const o of view.offers) {
      if (o.act === act && seatParam(o)?.includes(`seat-${seat}`)) return { ...o.fixed, [o.params![0]!.name]: `seat-${seat}` };
    }
    return undefined;
  };
  return view.seats.map((s): SeatRow => {
    const invite = joins?.invites.find((i) => i.seat === s.seat);
    const row: SeatRow = {
      seat: s.seat,
      name: s.name,
      character: s.character ?? '',
      first: s.first,
      alive: s.alive,
      active: view.active.includes(s.seat),
      joined: invite?.joined ?? false,
      online: table.online.includes(s.seat),
      url: invite === undefined || invite.joined ? '' : invite.url,
    };
    const [rise, again] = [forSeat('rise', s.seat), forSeat('invite', s.seat)];
    if (rise) row.rise = rise;
    if (again) row.invite = again;
    return row;
  });
}

/** One form field. */
export interface Field {
  name: string;
  kind: string;
  options: readonly string[];
  max: number;
}

export function fields(offer: Offer): Field[] {
  return (offer.params ?? []).map((p) => ({ name: p.name, kind: p.kind, options: p.domain ?? [], max: p.max ?? 0 }));
}

/**
 * The arguments of an offer from what the form holds; undefined while something
 * is missing. What is no longer offered falls back to the first option.
 */
export function args(offer: Offer, filled: Readonly<Record<string, string>>): Args | undefined {
  const all: Args = { ...offer.fixed };
  for (const f of fields(offer)) {
    const given = filled[f.name] ?? '';
    const value = f.kind === 'text' ? given.trim() : f.options.includes(given) ? given : f.options[0];
    if (value === undefined || value === '' || (f.max > 0 && new TextEncoder().encode(value).length > f.max)) return undefined;
    all[f.name] = value;
  }
  return all;
}

/** Names an offer within a list, so that a form keeps what was typed while other things change. */
export const offerKey = (o: Offer): string => `${o.act} ${JSON.stringify(o.fixed ?? {})}`;
