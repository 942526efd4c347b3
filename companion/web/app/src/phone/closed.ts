// What a phone shows uncovered in Huis Clos. Whether a seat may accuse or destroy
// can hang on its hand alone; a key that comes and goes would tell the hand to
// whoever glances at the screen (GEN-002). So the keys follow what everybody
// knows, and what the hand forbids is off within the covered list (HC-045).
import { MoodDuel } from '../lib/wire';
import type { Offer, View } from '../lib/wire';
import type { Widened } from '../lib/offers';

const LIMIT = 3; // clues in a hand (HC-040), and destructions of one player (HC-073)

type Table = Pick<View, 'phase' | 'prompt' | 'me' | 'seats' | 'clock' | 'mood' | 'switches'>;

/** The offers, and what public facts alone would allow beside them. */
export function fairEvening(offers: readonly Offer[], view: Table): Widened[] {
  const mine = view.seats.find((s) => s.seat === view.me?.seat);
  const hand = view.me?.hand.map((c) => c.card) ?? [];
  if (!mine || view.phase !== 'investigation' || hand.length === 0 || hand.length < mine.cards) return [...offers];
  const duel = view.mood === MoodDuel;
  const choice = { name: 'card', kind: 'card', domain: [], all: hand };
  const step = view.prompt.k;
  const more: Widened[] = [];
  if (step === 'hc.prompt.act.you' && view.clock.open && !duel && mine.tokens > 0) { // HC-090, HC-091
    const accused = new Set(offers.filter((o) => o.act === 'accuse').map((o) => o.fixed?.['seat']));
    for (const s of view.seats) {
      const seat = `seat-${s.seat}`;
      if (s.alive && s.seat !== mine.seat && s.place === mine.place && !accused.has(seat)) more.push({ act: 'accuse', rule: 'HC-091', grave: true, fixed: { seat }, params: [choice] });
    }
  }
  const victims = view.seats.filter((s) => s.alive && s.seat !== mine.seat && s.place === mine.place && s.cards > 0).map((s) => `seat-${s.seat}`);
  if (step === 'hc.prompt.act.you' && mine.cards === LIMIT && victims.length > 0 && !offers.some((o) => o.act === 'exchange')) { // HC-081, HC-188
    more.push({ act: 'exchange', rule: 'HC-081', params: [{ name: 'seat', kind: 'seat', domain: victims }] });
  }
  const full = step === 'hc.prompt.settle.you';
  const below = step === 'hc.prompt.finish.you' && !duel && view.switches['destroy-below-limit'] !== 'forbidden';
  if ((full || below) && (duel || mine.destroyed < LIMIT) && mine.cards > 1 && !offers.some((o) => o.act === 'destroy')) { // HC-062, HC-065
    more.push({ act: 'destroy', rule: 'HC-070', grave: true, params: [choice] });
  }
  const end = offers.findIndex((o) => o.act === 'done');
  return end < 0 ? [...offers, ...more] : [...offers.slice(0, end), ...more, ...offers.slice(end)];
}
