// What the words of both kinds of game are put into, for the table display.

/** The two lines under the clock. */
export interface Headline {
  title: string;
  under: string;
}

/** A card that is face up for all. */
export interface OpenCard {
  id: string;
  kind: string;
  name: string;
  of: string;
}
