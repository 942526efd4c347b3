// Which of the colours of the table each seat wears: that of its character, or the one of its number.
import type { Seat, SeatView } from '../gen/engine';

class Colours {
  #worn = $state.raw(new Map<Seat, number>());

  /** From the last view. */
  learn(seats: readonly Pick<SeatView, 'seat' | 'colour'>[]): void {
    this.#worn = new Map(seats.map((s) => [s.seat, s.colour ?? s.seat]));
  }

  /** The number of a seat's colour, from 1. */
  of = (seat: Seat): number => this.#worn.get(seat) ?? seat;
}

/** One page sits at one table. */
export const colours = new Colours();
