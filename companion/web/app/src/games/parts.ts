// What a game may say of itself to each page. Whatever is left out of plain is asked of no game.
import type { Component } from 'svelte';
import type { Emblem } from '../deco/emblems';
import type { Box } from '../deco/plan';
import type { Scene, Moment } from '../display/moment';
import type { Headline, OpenCard } from '../display/spoken';
import type { Drag } from '../bench/drag.svelte';
import type { Difference, Guide } from '../bench/step';
import type { Text } from '../gen/engine';
import type { Bench, BenchCard } from '../gen/wire';
import type { Choice } from '../lib/offers';
import type { Voice } from '../lib/voice';
import type { Args, Happening, Offer, Own, SeatView, Sighting, Update, View } from '../lib/wire';
import type { Key } from '../lib/words';
import type { Notes } from '../phone/notes.svelte';

/** A game by its id, and what it is called. */
export interface Title {
  id: string;
  text: Text;
}

/** What is public, in words: for the display and the host. */
export interface PublicPart {
  /** The round, or the hour. */
  headline(update: Update, voice: Voice): Headline;
  /** The step of a turn, where its name says more than that of the phase. */
  step?(update: Update, voice: Voice): string;
  /** The seats to be marked as awaited. */
  awaited(update: Update): readonly number[];
  /** Whose turn it is, even while others are asked; 0: nobody's. */
  leads?(update: Update): number;
  /** What stands under a name. */
  caption?(seat: SeatView, update: Update, voice: Voice): string;
  /** The first player holds the urn. */
  urn?: boolean;
  urnLine?(update: Update, voice: Voice): string;
}

/** A scene that the display plays. */
export interface ScenePart {
  /** The scene from one update to the next, of what happened between them; undefined where there is none of this kind. */
  sceneOf(before: Update, after: Update, news: readonly Happening[]): Scene | undefined;
  /** What it shows after t milliseconds, and when it shows something else. */
  momentOf(scene: Scene, t: number): Moment;
  beats(scene: Scene): number[];
  /** What the table shows at a moment of it. */
  staged(scene: Scene, m: Moment): Update;
}

/** How the display draws it. */
export interface DisplayPart {
  /** What the game is about, in three pictures with a sentence each. */
  goal?: readonly (readonly [picture: Emblem, key: Key])[];
  Ground: Component<{ update: Update; voice: Voice }>; // places and pawns
  Beside?: Component<{ update: Update; prompt: string; voice: Voice }>; // instead of clock and prompt
  Night?: Component<{ scene: Scene; moment: Moment; voice: Voice }>; // midnight for one seat
  Verdict?: Component<{ scene: Scene; moment: Moment; voice: Voice }>; // and its accusation
  dialled?(voice: Voice): boolean; // whether there is a clock to wait beside; without it: there is
  counted?: boolean; // hands and event cards as numbers, open cards on the board
  solution?(update: Update, voice: Voice): OpenCard[];
  laid?(update: Update, voice: Voice): string[]; // cards that lie open, by name
}

/** One question for all that an act asks. */
export type Asking = Component<{ choice: Choice; view: View; ondone: (args: Args) => void; onclose: () => void }>;

/** A board to choose a place or a square on. */
export type Goals = Component<{ view: Pick<View, 'game' | 'case' | 'seats'>; seat: number; options: readonly string[]; ongive: (value: string) => void }>;

/** How a phone shows it. */
export interface PhonePart {
  /** The name of an offer's own button, where one act has several of those offered; '' otherwise. */
  button?(offer: Offer, all: readonly Offer[]): string;
  /** The button that is as wide as all others, by that name. */
  large?: string;
  /** What another has shown to this seat alone, until it is read. */
  peek(view: View, me: Own, read: string): Sighting | undefined;
  Top?: Component<{ view: View }>; // instead of the clock of rounds
  Hand: Component<{ me: Own; seat: SeatView; dealing: boolean }>;
  Know: Component<{ view: View; me: Own; notes: Notes }>;
  sheet?: boolean; // that is a note sheet
  words: { cards: Key; tokens: Key; first: Key };
  piles?(view: View, voice: Voice): string;
  /** What lies in a place beside pawns of seats. */
  lying?(view: View, place: string): string[];
  /** The limits of the seat stand on a card of its hand, not beside each question. */
  limited?: boolean;
  /** The prompt itself says what the reader takes. */
  prompted?(view: View): boolean;
  /** What the prompt of this seat says instead, where no card is needed. */
  unread?(view: View): Key | undefined;
  /** An act that is open for a short while, with the sentence that says so. */
  brief?(act: string, view: View): Key | undefined;
  ask?(params: readonly string[]): Asking | undefined;
  Goals?: Goals;
}

/** Steps of the set-up that a phase may be. */
export type AfterId = 'roles' | 'clues' | 'pick';

/** What the host's page says of it. */
export interface HostPart {
  least: number; // players; the daemon judges, this only says it beforehand
  /** The prompt when two have come and another house rule is for two, and the values of rules that are. */
  two?: { prompt: string; rules: readonly (readonly [rule: string, value: string])[] };
  /** Somebody is to be named who begins. */
  first(view: View): boolean;
  after: Readonly<Record<string, AfterId>>; // phases that are steps of the set-up, in order
  cards: Key; // above the numbers of cards
  /** How many cards are to be counted, of a box with so many of each kind. */
  inGame?(view: View, box: (kind: string) => number): number;
  Goals?: Goals;
}

/** What the simulated table does for it. */
export interface BenchPart {
  /** Cards as they lie in their box: the backs do not tell them apart. */
  lots(cards: readonly BenchCard[]): { title?: Key; cards: BenchCard[] }[];
  hidden: { spot: string; wide: number }; // where cards lie that nobody may see
  open(bench: Bench): { spot: string; wide: number } | undefined; // where the others lie that no hand holds
  spots(bench: Bench): readonly string[]; // those of its own, for the menu
  /** The heaps that everybody may count. */
  heaps(update: Update, bench: Bench): Difference[];
  /** What is still to be done before it begins. */
  lobby(view: View): Key;
  /** What a reader, or a helping hand, waits for. */
  reading(update: Update): Guide | undefined;
  Told?: Component<{ update: Update }>; // what was rolled and said
  House?: Component<{
    bench: Bench;
    update: Update;
    drag: Drag;
    asked: ReadonlySet<string>;
    differ: ReadonlyMap<string, Difference>;
    lamps: ReadonlyMap<string, readonly string[]>;
  }>; // instead of one spot for each place
}

/** A room of the house in which a story is told, in the box of deco/plan. */
export interface Chamber {
  id: string;
  floor: string; // its area, to be filled
  wall: string; // its outline, to be stroked
  name: { x: number; y: number; w: number }; // centre of its first line, and greatest width
  pawns: Box;
}

/** How the story of an evening is told. */
export interface StoryPart {
  /** The house, and what lies under its rooms. */
  house(view: Pick<View, 'game' | 'places'>, voice: Voice): { ground: string; chambers: Chamber[] };
}

/** What everybody sees of a view: of this alone hangs what is explained, for a glance at a phone shows it. */
export type Open = Omit<View, 'me' | 'offers' | 'log' | 'viewer' | 'custody' | 'case'> & { case?: Omit<NonNullable<View['case']>, 'past'> };

/** A sentence of the explanations and what stands in its blanks. */
export type Line = [key: string, args: Readonly<Record<string, string>>];

/** What a game explains (lessons.fr.json and lessons.en.json of its family in engine/words). */
export interface LessonPart {
  /** Under which names its sentences stand: where the first has none, the next. */
  games(view: Open): readonly string[];
  /** What is worth explaining to a seat as things stand. */
  now(view: Open, seat: number): readonly string[];
  /** What of it holds for long: it makes room for what has its moment, and comes back. */
  lasting: readonly string[];
  /** What is worth explaining to it since that has happened. */
  after(happening: Happening, seat: number, view: Open): readonly string[];
  /** How the game stands for a seat, from what everybody sees. */
  state(view: Open, seat: number): readonly Line[];
  /** What it is after, and how far it has come: for its own eyes. */
  goal?(me: Own, voice: Voice): Line;
  /** What all who wait may think about, as things stand. */
  muse(view: Open): readonly Line[];
  /** Blanks of what an act will do, as things stand. */
  args(view: Open, seat: number): Readonly<Record<string, string>>;
}
