// What a phone shows uncovered in Huis Clos. Whether a seat may accuse or destroy,
// and where it may go, can hang on its hand alone; a key that comes and goes would
// tell the hand to whoever glances at the screen (GEN-002). So the keys and the
// places follow what everybody knows; what the hand forbids is off within the
// covered list of cards (HC-045), or refused in private.
import { MoodDuel, Unnamed } from '../lib/wire';
import type { Offer, View } from '../lib/wire';
import type { Widened } from '../lib/offers';

const LIMIT = 3; // clues in a hand (HC-040), and destructions of one player (HC-073)

type Table = Pick<View, 'phase' | 'prompt' | 'me' | 'seats' | 'places' | 'clock' | 'mood' | 'switches'>;

/** The order of the keys, whoever put them there: a place in the row must not tell either. */
const ORDER = ['observe', 'search', 'exchange', 'accuse', 'leave', 'destroy', 'done', 'pass'];
const rankOf = ({ act, fixed }: Widened): number =>
  (ORDER.includes(act) ? 100 * ORDER.indexOf(act) : -1) + (act === 'accuse' ? Number(fixed?.['seat']?.slice(5)) : 0);

/** The offers, and what public facts alone would allow beside them. deck is every clue that a hand may hold. */
export function fairEvening(offers: readonly Offer[], view: Table, deck: readonly string[] = []): Widened[] {
  const mine = view.seats.find((s) => s.seat === view.me?.seat);
  const hand = view.me?.hand.map((c) => c.card) ?? [];
  if (!mine) return [...offers];
  const whole = hand.length >= mine.cards;
  const choice = { name: 'card', kind: 'card', domain: [], all: whole ? hand : [...deck] };
  if (view.prompt.k === 'hc.prompt.deposit.you') {
    // Of a hand that is not known every clue is listed: which of them may lie in the urn hangs on the role (HC-122, HC-123).
    const out = offers.map((o): Widened => (o.act === 'deposit' && o.params ? { ...o, params: o.params.map((p) => ({ ...p, all: choice.all })) } : o));
    if (mine.cards !== 1) return out;
    if (!offers.some((o) => o.act === 'deposit')) out.unshift({ act: 'deposit', rule: 'HC-120', grave: true, params: [choice] });
    if (!offers.some((o) => o.act === 'no-deposit')) out.push({ act: 'no-deposit', rule: 'HC-125', grave: true }); // the only clue may be the weapon of this place
    return out;
  }
  if (view.phase !== 'investigation') return [...offers];
  // Every open place but this one: which of them is of use can hang on the hand (HC-052, HC-181).
  const places = view.places.filter((p) => p.open && p.place !== mine.place).map((p) => p.place);
  const all = offers.map((
    o,
  ): Widened => (o.act === 'move' && o.params ? { ...o, params: o.params.map((p) => (p.kind === 'place' ? { ...p, domain: places } : p)) } : o));
  if (mine.cards === 0) return all;
  const duel = view.mood === MoodDuel;
  const step = view.prompt.k;
  const more: Widened[] = [];
  if (step === 'hc.prompt.act.you' && view.clock.open && !duel && mine.tokens > 0) { // HC-090, HC-091
    const accused = new Set(offers.filter((o) => o.act === 'accuse').map((o) => o.fixed?.['seat']));
    for (const s of view.seats) {
      const seat = `seat-${s.seat}`;
      if (s.alive && s.seat !== mine.seat && s.place === mine.place && !accused.has(seat)) {
        more.push({ act: 'accuse', rule: 'HC-091', grave: true, fixed: { seat }, params: [choice] });
      }
    }
  }
  const victims = view.seats.filter((s) => s.alive && s.seat !== mine.seat && s.place === mine.place && s.cards > 0).map((s) => `seat-${s.seat}`);
  if (step === 'hc.prompt.act.you' && mine.cards === LIMIT && victims.length > 0 && !offers.some((o) => o.act === 'exchange')) { // HC-081, HC-188
    more.push({ act: 'exchange', rule: 'HC-081', params: [{ name: 'seat', kind: 'seat', domain: victims }] });
  }
  if (step.startsWith('hc.prompt.finish') && !duel && mine.cards >= LIMIT) { // HC-181: an Innocent may have to leave one, a Murderer must not
    if (!offers.some((o) => o.act === 'leave')) {
      more.push({ act: 'leave', rule: 'HC-181', params: [choice] }, ...(whole ? [] : [{ act: 'leave', rule: 'HC-181', fixed: { card: Unnamed } }]));
    }
    if (!offers.some((o) => o.act === 'done')) more.push({ act: 'done', rule: 'HC-065' });
  }
  const full = step === 'hc.prompt.settle.you';
  const below = step === 'hc.prompt.finish.you' && !duel && view.switches['destroy-below-limit'] !== 'forbidden';
  if ((full || below) && (duel || mine.destroyed < LIMIT) && mine.cards > 1 && !offers.some((o) => o.act === 'destroy')) { // HC-062, HC-065
    more.push({ act: 'destroy', rule: 'HC-070', grave: true, params: [choice] });
  }
  const out = [...all, ...more];
  const acts = new Set(out.map((o) => o.act));
  if (acts.has('accuse') && !acts.has('search') && !acts.has('exchange') && !acts.has('pass')) out.push({ act: 'pass', rule: 'HC-054' }); // without evidence
  return out.map((o, i) => ({ o, i, rank: rankOf(o) })).sort((a, b) => a.rank - b.rank || a.i - b.i).map(({ o }) => o);
}
