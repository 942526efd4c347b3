// The things that need the host's attention, in one list: players who are waited for, devices that do not answer, repeated
// failures. Made of public facts.
import type { Update } from '../lib/wire';
import type { Key } from '../lib/words';

export interface AttentionItem {
  id: string;
  grave: boolean;
  key: Key;
  args: Record<string, string>;
  minutes: number; // for so long; 0: not yet one
  how: Key;
}

const MINUTE = 60_000;
const WAITING = 3 * MINUTE; // then it is worth a look
const LONG = 5 * MINUTE;
const ASLEEP = 20_000; // a phone in a pocket reconnects sooner
const AGAIN = 3; // times
const OFTEN = 5;

/** The list, the grave first; since is for how long this page has had the update, in ms. */
export function listAttention(update: Update, since: number): AttentionItem[] {
  const { view, desk } = update;
  const watch = desk?.watch;
  if (watch === undefined || view.phase === 'lobby' || view.result !== undefined) return [];
  const out: AttentionItem[] = [];
  const runs = update.paused === undefined;
  const add = (id: string, grave: boolean, key: Key, args: Record<string, string>, ms: number, how: Key): void => {
    out.push({ id, grave, key, args, minutes: Math.floor(ms / MINUTE), how });
  };
  for (const r of watch.lost ?? []) {
    add(`lost ${r.reader}`, true, 'host.watch.lost', { reader: r.reader }, r.since + since, 'host.watch.lost.how');
  }
  for (const r of watch.wrong ?? []) {
    if (r.n >= AGAIN) {
      add(`wrong ${r.reader}`, r.n >= OFTEN, 'host.watch.wrong', { reader: r.reader, times: String(r.n) }, 0, 'host.watch.wrong.how');
    }
  }
  const waited = (update.waited ?? 0) + (runs ? since : 0);
  if (runs && view.active.length > 0 && waited >= WAITING) {
    const seats = view.active.map((s) => `seat-${s}`).join(',');
    add('waiting', waited >= LONG, 'host.watch.waiting', { seats }, waited, 'host.watch.waiting.how');
  }
  const still = watch.still + (runs ? since : 0);
  if (runs && view.active.length === 0 && still >= WAITING) {
    add('still', still >= LONG, 'host.watch.still', {}, still, 'host.watch.still.how');
  }
  for (const a of watch.away ?? []) {
    const seat = view.seats.find((s) => s.seat === a.seat);
    const joined = desk?.invites.some((i) => i.seat === a.seat && i.joined) === true;
    if (!joined || seat?.alive !== true || a.since + since < ASLEEP) continue;
    add(`away ${a.seat}`, view.active.includes(a.seat), 'host.watch.away', { seat: `seat-${a.seat}` }, a.since + since,
      'host.watch.away.how');
  }
  for (const a of desk?.hints?.asked ?? []) {
    add(`hint ${a.seat}`, false, 'host.watch.hint', { seat: `seat-${a.seat}` }, a.since + (runs ? since : 0), 'host.watch.hint.how');
  }
  return out.sort((a, b) => Number(b.grave) - Number(a.grave));
}
