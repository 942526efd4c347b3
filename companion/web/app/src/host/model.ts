// The host's page, worked out from the host's update: the public view, the
// offers of a host, and how the seats join. A host sees no secret of the game;
// the links of the invitations are secrets of their seats.
import { ActCutPhone, ByProgram, ByStaff, type Args, type HostDevice, type Offer, type Plea, type Seat, type Tried,
  type Update } from '../lib/wire';
import type { Voice } from '../lib/voice';
import { isUnnamed } from './labels';

/**
 * The acts of each panel of the host's page. An act in no row is a move of the game, for the seat that is to act or for the whole
 * table; the offer itself says whether it corrects the record or goes against the rules.
 */
const ACTS = {
  bar: ['undo', 'pause', 'alarm', 'resume', 'light'],
  devices: ['host-admit', 'host-deny', 'host-end'],
  phones: [ActCutPhone, 'end-phone'],
  players: ['rise', 'invite', 'add-phone', 'turn-away'], // each for one seat of several
  hints: ['hints', 'hint', 'hint-back', 'hint-no'],
  countdown: ['countdown', 'countdown-add', 'countdown-end', 'countdown-fines'],
  secrets: ['unlock-secrets', 'cover-secrets'],
  team: ['team', 'room-keep'],
  table: ['draw-roles', 'deal', 'laid', 'dealt', 'skip-scene'],
  sit: ['sit'],
  first: ['first', 'dealer'],
  switches: ['switch'],
  box: ['box-check'],
  begin: ['begin'],
  count: ['count-is', 'counted'],
  vote: ['agree-undo', 'refuse-undo'],
  agreed: ['propose-undo', 'secrets', 'ghosts'], // by all players
  games: ['new-game'],
  group: ['next-group'],
  lost: ['go-on', 'restore'], // after a start that has found something missing
} as const;
type Panel = keyof typeof ACTS | 'behalf' | 'corrections' | 'overrules';

/** The offers of each panel. */
export type Panels = Readonly<Record<Panel, readonly Offer[]>>;

const PANELS = [...Object.keys(ACTS), 'behalf', 'corrections', 'overrules'];
const PANEL_OF = new Map<string, Panel>(Object.entries(ACTS).flatMap(([panel, acts]) => acts.map((act) => [act, panel as Panel])));

/** Sorts the offers into panels, each into one. */
export function panelsOf(offers: readonly Offer[], active: readonly Seat[]): Panels {
  const panels = Object.fromEntries(PANELS.map((panel) => [panel, []])) as unknown as Record<Panel, Offer[]>;
  for (const o of offers) {
    const own = PANEL_OF.get(o.act);
    const panel = own === 'players' && !seatParam(o) ? undefined : own; // the list of players could not show it
    const move = o.overrule ? 'overrules' : o.aside ? 'corrections' : active.length > 0 ? 'behalf' : 'table';
    panels[panel ?? move].push(confirmIfGrave(o));
  }
  return panels;
}

/** The first offer of an act that has these fixed arguments, and maybe others. */
export const findOffer = (offers: readonly Offer[], act: string, fixed: Args = {}): Offer | undefined =>
  offers.find((o) => o.act === act && Object.entries(fixed).every(([name, value]) => o.fixed?.[name] === value));

/** What Majordome does in place of hands, for a table without cards. */
const INSTEAD = new Set(['deal', 'draw-roles']);

/** The offer of the filled key: the first one; where readers wait for real cards, the first that deals them by hand. */
export const mainOffer = (offers: readonly Offer[], readers: Readonly<Record<string, string>>): Offer | undefined =>
  offers.find((o) => Object.keys(readers).length === 0 || !INSTEAD.has(o.act));

/**
 * A role that is said is out: it is always confirmed. What leaves the card without
 * a name is one of many such acts in a round, and can be taken back.
 */
function confirmIfGrave(o: Offer): Offer {
  if (o.act === 'role' && o.params) return { ...o, grave: true };
  return isUnnamed(o) ? { ...o, grave: false } : o;
}

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
  /** A phone of the seat is connected now. */
  online: boolean;
  /** The phones of the seat, if there are several, each with the arguments of the act that cuts it off. */
  phones: { n: number; online: boolean; end?: Args }[];
  /** The invitation that waits for a phone, or for one more, and how many minutes it will. */
  url: string;
  minutes: number;
  /** The last invitation came to its end unused. */
  ended: boolean;
  /** The acts offered for this seat only. */
  rise?: Args;
  invite?: Args;
  more?: Args;
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
    const several = table.phones?.find((p) => p.seat === s.seat);
    const end = findOffer(view.offers, 'end-phone', { seat: `seat-${s.seat}` });
    const ends = (n: number): Args | undefined =>
      end?.params?.[0]?.domain?.includes(String(n)) ? { ...end.fixed, [end.params[0].name]: String(n) } : undefined;
    const row: SeatRow = {
      seat: s.seat,
      name: s.name,
      character: s.character ?? '',
      first: s.first,
      alive: s.alive,
      active: view.active.includes(s.seat),
      joined: invite?.joined ?? false,
      online: table.online.includes(s.seat),
      phones: (several?.phones ?? []).map((n) => {
        const cut = ends(n);
        return { n, online: several!.online.includes(n), ...(cut ? { end: cut } : {}) };
      }),
      url: invite?.url ?? '',
      minutes: invite?.minutes ?? 0,
      ended: invite?.ended ?? false,
    };
    const [rise, again, more] = [forSeat('rise', s.seat), forSeat('invite', s.seat), forSeat('add-phone', s.seat)];
    if (rise) row.rise = rise;
    if (again) row.invite = again;
    if (more) row.more = more;
    return row;
  });
}

/** A phone that has joined an empty seat. */
export interface Newcomer {
  seat: number;
  name: string; // '' until its player has typed one
  character: string;
  /** The phone had this seat under this name: another name means another person, and the phone is cut off. */
  played: boolean;
  /** The code of a phone that has scanned the display and asks for a seat; '': it has joined at this one. */
  ask: string;
  /** Another phone asked for its character before. */
  second: boolean;
  away?: Args;
}

export const listNewcomers = (update: Update): Newcomer[] =>
  (update.desk?.guests ?? []).map((g) => {
    const away = update.view.offers.find((o) => o.act === 'turn-away' && seatParam(o)?.includes(`seat-${g.seat}`));
    return {
      seat: g.seat,
      name: g.name,
      character: g.character,
      played: g.played === true,
      ask: g.ask ?? '',
      second: g.second === true,
      ...(away ? { away: { ...away.fixed, seat: `seat-${g.seat}`, ...(g.ask ? { ask: g.ask } : {}) } } : {}),
    };
  });

/** A code that can be shown now. */
export interface Code {
  seat: number;
  url: string; // '' when it has ended
  minutes: number;
  joined?: boolean; // it is for one phone more
}

/** The code for the next player to come, and the seats where that could be. */
export interface Vacancy extends Code {
  seats: { seat: number; invite: Args }[];
}

export function nextVacancy(update: Update): Vacancy | undefined {
  const taken = [...update.view.seats, ...(update.desk?.guests ?? []).filter((g) => !g.ask)].map((s) => s.seat);
  const code = update.desk?.invites.find((i) => !taken.includes(i.seat));
  if (code === undefined || update.view.phase !== 'lobby') return undefined;
  const invite = findOffer(update.view.offers, 'invite');
  const free = (invite && seatParam(invite) ? seatParam(invite)! : []).filter((s) => !taken.includes(Number(s.slice('seat-'.length))));
  return {
    seat: code.seat,
    url: code.url,
    minutes: code.minutes ?? 0,
    seats: free.map((s) => ({ seat: Number(s.slice('seat-'.length)), invite: { ...invite?.fixed, seat: s } })),
  };
}

/** How far a seat's phone has come. */
export const joinState = (r: SeatRow, voice: Pick<Voice, 't'>): string =>
  r.online
    ? voice.t('ui.host.online')
    : r.joined
    ? voice.t('ui.host.joined')
    : r.ended
    ? voice.t('host.invite.ended')
    : r.url === ''
    ? voice.t('host.invite.none')
    : voice.t('host.invite.minutes', { n: r.minutes });

/** A phone that uses the key of another phone for a seat or (0) for the host's page, with the possible answers. */
export interface WaitingGuest {
  seat: number;
  offers: Offer[];
}

/** The guests that wait for an answer; none while no answer is possible, as in a pause. */
export const waitingGuests = (update: Update): WaitingGuest[] =>
  (update.table.asked ?? []).map((seat) => ({
    seat,
    offers: update.view.offers.filter((o) => o.act === ActCutPhone && o.fixed?.['seat'] === (seat === 0 ? 'host' : `seat-${seat}`)),
  })).filter((g) => g.offers.length > 0);

/** A device that asks for the host's page, with the answers. */
export interface AccessRequest extends Plea {
  offers: Offer[];
}

/** The requests that this device of the host may answer: only the first device answers. */
export const accessRequests = (update: Update, number: number): AccessRequest[] =>
  (number === 1 ? update.desk?.pleas ?? [] : [])
    .map((p) => ({
      ...p,
      offers: update.view.offers.filter((o) => (o.act === 'host-admit' || o.act === 'host-deny') && o.fixed?.['code'] === p.code),
    }))
    .filter((p) => p.offers.length > 0);

/** A device with the host's page, with the way to end it. */
export interface HostRow extends HostDevice {
  own: boolean;
  end?: Args;
}

/** The arguments that cut device n off, as offered on the device with this number: the first may end all, the others only themselves. */
function endArgs(update: Update, n: number, number: number): { end?: Args } {
  const end = findOffer(update.view.offers, 'host-end', { device: String(n) });
  return end?.fixed && (n === number || number === 1) ? { end: end.fixed } : {};
}

/** The devices of the host, as the one with this number sees them. */
export const hostRows = (update: Update, number: number): HostRow[] =>
  (update.desk?.hosts ?? []).map((d) => ({ ...d, own: d.n === number, ...endArgs(update, d.n, number) }));

/** A device of the host that tries PINs, with what cuts it off. */
export interface TriedRow extends Tried {
  end?: Args;
}

/** The devices that try PINs, as shown on the device with this number. */
export const triedRows = (tried: readonly Tried[], update: Update, number: number): TriedRow[] =>
  tried.map((t) => ({ ...t, ...endArgs(update, t.device, number) }));

/** The author of a pause, in words: a person by name, a device of the host by number, a button, or a program of the house by name. */
export function pauseAuthor(
  by: string,
): {
  key: 'host.bar.by.host' | 'host.bar.by.other' | 'host.bar.by.button' | 'host.bar.by.program' | 'host.bar.by.staff';
  n: number;
  name: string;
} | undefined {
  if (by.startsWith(ByStaff)) { // the role, and on a device with a signed-in person the name
    const [, who] = /^\w+\.(.+)$/.exec(by.slice(ByStaff.length)) ?? [];
    return who === undefined ? undefined : { key: 'host.bar.by.staff', n: 1, name: who };
  }
  const n = Number(/^host\.(\d+)$/.exec(by)?.[1] ?? 1);
  const name = by.startsWith(ByProgram) ? by.slice(ByProgram.length) : '';
  return {
    key: name ? 'host.bar.by.program' : by === 'button' ? 'host.bar.by.button' : n > 1 ? 'host.bar.by.other' : 'host.bar.by.host',
    n,
    name,
  };
}

/** One form field. */
export interface Field {
  name: string;
  kind: string;
  options: readonly string[];
  max: number;
}

export function formFields(offer: Offer): Field[] {
  return (offer.params ?? []).map((p) => ({ name: p.name, kind: p.kind, options: p.domain ?? [], max: p.max ?? 0 }));
}

/** Whether a text fits into max bytes of UTF-8; 0 is no limit. */
export const fitsBytes = (text: string, max: number): boolean => max === 0 || new TextEncoder().encode(text).length <= max;

/**
 * The arguments of an offer from the values of the form; undefined while one
 * is missing. A single option is chosen automatically; a value that is no longer
 * offered counts as not chosen, so that nothing is sent without a tap.
 */
export function args(offer: Offer, filled: Readonly<Record<string, string>>): Args | undefined {
  const all: Args = { ...offer.fixed };
  for (const f of formFields(offer)) {
    const given = filled[f.name] ?? '';
    const value = f.kind === 'text' ? given.trim() : f.options.includes(given) ? given : f.options.length === 1 ? f.options[0] : undefined;
    if (value === undefined || value === '' || !fitsBytes(value, f.max)) return undefined;
    all[f.name] = value;
  }
  return all;
}

/**
 * Names an offer within a list, so that a form keeps what was typed while other
 * things change. An act may be offered twice, asking for different things: the
 * dice as they fell or a roll by the machine, a room or a square.
 */
export const offerKey = (o: Offer): string => JSON.stringify([o.act, o.fixed ?? {}, ...(o.params ?? []).map((p) => [p.name, p.kind])]);

/** A vote about a correction, in numbers and names. */
export interface VoteState {
  by: number;
  agreed: number[];
  waiting: number[];
}

export function voteState(update: Update): VoteState | undefined {
  const v = update.vote;
  if (v === undefined) return undefined;
  return { by: v.by, agreed: v.agreed ?? [], waiting: (v.of ?? []).filter((s) => !(v.agreed ?? []).includes(s)) };
}

/** The seat for which the host may act, and whether it has a phone at the table. */
export interface ActingSeat {
  seat: number;
  phone: boolean;
}

export function actingSeat(update: Update): ActingSeat | undefined {
  const [seat] = update.view.active;
  return seat === undefined ? undefined : { seat, phone: update.table.online.includes(seat) };
}
