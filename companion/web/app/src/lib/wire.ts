// What arrives, in the types that are generated from the daemon's Go types.
import type { Names } from '../gen/engine';
import type { Reply, Update } from '../gen/wire';

export type { Args, CardView, Case, Clock, Custody, Happening, Heard, Holding, Hypothesis, Line, Msg, Name, Names, Offer, Own, Param, Plan,
  PlaceView, Refusal, Reject, Result, Seat, SeatView, Sighting, View } from '../gen/engine';
export { HapConfrontation, HapCounted, HapCounting, HapExposed, HapLooked, HapMurdered, HapOpened, HapOver, HapShown, MoodCount, MoodDuel,
  PhaseDealing, PhaseLaying, PhaseRoles, StepHide, StepLay, StepLook, StepMove, StepNeighbour, StepReveal, StepStart,
  Unnamed } from '../gen/engine';
export { ActCutPhone, ByProgram, ByStaff, HostAsked, LayerHand, LayerPage, LightDark, LightGame, LightWhite, MaxLabel, MaxPerson, MaxPIN,
  MinPIN, OfficeRows, RoleHost, RoleOperator, RoleOwner, StateFault, StateWarning } from '../gen/wire';
export type { Act, BoxCheck, Figures, Finding, Found, GameFigures, Hint, Hints, Home, HomeMade, HostDevice, HouseTable, Enrol, Invite,
  Naming, Newer, Notice, Person, Plea, Reply, Role, SeatPhones, SentHint, Setting, Staff, StaffShare, Settings, Timing, OfficeAnswer,
  OfficeRequest, OfficeText, Seed, Tables, Team, Story, Trial, Tried, Update, Venue, VenueSite, VenueTable, Vote, Walk } from '../gen/wire';

export const WIRE_VERSION = 1;

/** A daemon of another version than this page: the page must be loaded again. */
export class OtherVersion extends Error {}

/** Go writes an empty list as null; the pages want lists. */
export function readUpdate(body: unknown): Update {
  const u = body as Update;
  if (typeof u !== 'object' || u === null || typeof u.view !== 'object') throw new Error('not an update');
  if (u.v !== WIRE_VERSION) throw new OtherVersion(`update of version ${u.v}`);
  const v = u.view;
  v.active ??= [];
  v.seats ??= [];
  v.places ??= [];
  for (const p of v.places) p.pawns ??= [];
  v.shown ??= [];
  v.gone ??= [];
  v.readers ??= [];
  v.log ??= [];
  v.happened ??= [];
  v.offers ??= [];
  v.switches ??= {};
  if (v.result) v.result.winners ??= [];
  if (v.case) {
    v.case.dice ??= [];
    v.case.reach ??= [];
    v.case.pawns ??= [];
    v.case.tokens ??= [];
    if (v.case.hypothesis) v.case.hypothesis.answers ??= [];
  }
  if (v.me) {
    v.me.hand ??= [];
    v.me.tray ??= [];
    v.me.facts ??= [];
    v.me.seen ??= [];
    for (const seen of v.me.seen) seen.cards ??= [];
  }
  u.table ??= { readers: {}, online: [] };
  u.table.readers ??= {};
  u.table.online ??= [];
  u.table.asked ??= [];
  u.table.phones ??= [];
  if (u.vote) {
    u.vote.agreed ??= [];
    u.vote.of ??= [];
  }
  if (u.desk) u.desk.invites ??= [];
  if (u.box) {
    u.box.kinds ??= [];
    u.box.missing ??= [];
  }
  return u;
}

export function readNames(body: unknown): Names {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new Error('not a list of names');
  return body as Names;
}

export function readReply(body: unknown): Reply {
  const r = body as Reply;
  if (typeof r?.id !== 'string') throw new Error('not a reply');
  return r;
}

/** How far the daemon has heard the acts of the n-th phone of a seat. */
export const heardOf = (update: Update | undefined, n: number): number => (n > 1 ? update?.seqs?.[n - 2] : update?.seq) ?? 0;

/** Whether an update is to be shown after the last one: (epoch, rev, drawing) only rises. */
export function isNewer(last: Update | undefined, next: Update): boolean {
  if (!last) return true;
  const rises = [next.epoch - last.epoch, next.rev - last.rev, (next.drawing ?? 0) - (last.drawing ?? 0)].find((by) => by !== 0);
  return rises !== undefined && rises > 0;
}
