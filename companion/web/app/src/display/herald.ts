// What is announced to the table when one public update follows another: what has
// happened, in the words of the story, whose turn it is, "present the card again".
// Words only; the announcer says them.

import * as hap from '../gen/engine';
import { happeningOf } from '../lib/happened';
import { codesWhere } from '../lib/happenings';
import { publicOf } from '../games/public';
import type { Voice } from '../lib/voice';
import type { Msg, Update } from '../lib/wire';
import { publicNotice } from './model';
import type { Frame } from './sceneplayer.svelte';

/** One announcement. */
export interface Call {
  text: string;
  seen?: boolean; // on the page already: needs no caption
  fleeting?: boolean; // true only until the next announcement: not said late
}

/** The happenings to speak aloud, in the words of the story. The others are only shown on the page. */
export const HEARD = codesWhere((k) => k.spoken === true);

/** Reports whether something new begins between two frames, so that earlier announcements are outdated: a scene, or another evening. */
export const isNewBeginning = (before: Frame | undefined, { playing, update }: Frame): boolean =>
  (playing !== undefined && playing.scene.before !== before?.playing?.scene.before) ||
  (before !== undefined && before.update.epoch !== update.epoch);

/** The announcements between two frames; the last argument puts a line of the story into words. The first frame of a page has none. */
export function listCalls(before: Frame | undefined, now: Frame, voice: Voice, tell: (msg: Msg) => string = voice.say): Call[] {
  if (before === undefined || before.update.epoch !== now.update.epoch || before.update.view.game !== now.update.view.game) return [];
  const out: Call[] = [];
  const notice = publicNotice(now.update);
  if (notice?.again === true && notice.n !== publicNotice(before.update)?.n) out.push({ text: voice.say(notice.msg), seen: true });
  if (now.update.paused !== undefined && before.update.paused === undefined) out.push({ text: voice.say(now.update.paused), seen: true });
  if (now.update.view.phase === 'lobby') out.push(...arrivalCalls(before.update, now.update, voice));
  out.push(...sceneCalls(before, now, voice, tell), ...storyCalls(before.update, now, tell));
  if (turnCall(now.update) !== '' && turnCall(now.update) !== turnCall(before.update)) {
    out.push({ text: voice.say(now.update.view.prompt), fleeting: true });
  }
  return out;
}

/** An announcement for each player who has sat down. */
const arrivalCalls = (before: Update, now: Update, voice: Voice): Call[] =>
  now.view.seats.filter((s) => s.character && !before.view.seats.some((b) => b.seat === s.seat && b.character === s.character)).map((
    s,
  ) => ({
    text: voice.t('display.arrival', { who: voice.label(s.character!) }),
  }));

// A scene names each weapon with its place, then its dead with their roles. At
// midnight the story has all but the hour and the card that goes back.
function sceneCalls(before: Frame, { playing }: Frame, voice: Voice, tell: (msg: Msg) => string): Call[] {
  if (playing === undefined) return [];
  if (playing.scene.of === 'verdict') return verdictCalls(before, playing, voice, tell);
  if (playing.scene.of === 'midnight') {
    const [then, now] = [before.playing?.moment.struck ?? 0, playing.moment];
    if (now.struck > then) return [{ text: voice.t('display.midnight'), seen: true }];
    return now.struck < then ? [{ text: voice.t('display.midnight.back'), seen: true }] : [];
  }
  const { moment, scene } = playing;
  const then = before.playing?.moment;
  const out: Call[] = [];
  for (const { weapon, place } of scene.blows.slice(then?.struck ?? 0, moment.struck)) {
    const args = { weapon: voice.label(weapon), place: voice.label(place) };
    out.push({ text: weapon === '' ? args.place : voice.t('display.scene.weapon', args) });
  }
  for (const { dead } of scene.blows.slice(then?.turned ?? 0, moment.turned)) {
    const roles = dead.map((seat) => {
      const role = scene.after.view.seats.find((s) => s.seat === seat)?.role;
      const name = voice.label(`seat-${seat}`);
      return role === undefined ? name : voice.t('display.scene.role', { name, role: voice.label(role) });
    });
    if (roles.length > 0) out.push({ text: roles.join(' ') });
  }
  return out;
}

// The story names the accuser, and says that it was wrong; for a right one the scene says more.
function verdictCalls({ playing: then }: Frame, { scene, moment }: NonNullable<Frame['playing']>, voice: Voice,
  tell: (msg: Msg) => string): Call[]
{
  const out: Call[] = [];
  if (moment.opened === true && then?.moment.opened !== true) out.push({ text: tell({ k: 'display.verdict.opens' }) });
  for (const card of scene.cards.slice(then?.moment.laid ?? 0, moment.laid)) {
    out.push({ text: tell({ k: `display.verdict.${voice.name(card)?.kind ?? ''}`, a: { card } }), seen: true });
  }
  if (scene.right === true && moment.turned > (then?.moment.turned ?? 0)) {
    out.push({ text: tell({ k: 'display.verdict.right.for', a: { seat: `seat-${scene.seat}` } }) });
  }
  return out;
}

function storyCalls(before: Update, { update: now, playing }: Frame, tell: (msg: Msg) => string): Call[] {
  const known = new Set(before.view.log.map((l) => l.n));
  const oldest = before.view.log[0]?.n ?? 0; // older lines have left the list, and are not announced
  return now.view.log
    .filter((l) => l.own !== true && l.n > oldest && !known.has(l.n))
    .filter((l) => {
      const what = happeningOf(l, (playing?.scene.after ?? now).view.happened)?.what ?? '';
      return HEARD.has(what) && (playing === undefined || what !== hap.HapDied); // the scene says it, shorter
    })
    .map((l) => ({ text: tell(l.msg) }));
}

// The announcement of a turn; steps within a turn are not announced, nor which seats
// waive a shown card (GEN-005).
function turnCall(update: Update): string {
  const { view, paused } = update;
  if (publicOf(view).awaited(update).length === 0 || view.prompt.k === '' || view.result !== undefined || paused !== undefined) return '';
  return `${view.phase} ${view.active.join()}`;
}
