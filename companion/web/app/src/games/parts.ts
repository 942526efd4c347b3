// The parts that a game may bring to each page. A part that is missing is replaced by that of plain.
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
  /** The seat whose turn it is, even while others are asked; 0: none. */
  leads?(update: Update): number;
  /** The line under a name. */
  caption?(seat: SeatView, update: Update, voice: Voice): string;
  /** The first player holds the urn. */
  urn?: boolean;
  urnLine?(update: Update, voice: Voice): string;
}

/** A scene that the display plays. */
export interface ScenePart {
  /** The scene from one update to the next, of what happened between them; undefined where there is none of this kind. */
  sceneOf(before: Update, after: Update, news: readonly Happening[]): Scene | undefined;
  /** The moment of the scene after t milliseconds, and the times (ms) at which the moment changes. */
  momentOf(scene: Scene, t: number): Moment;
  beats(scene: Scene): number[];
  /** The update that the table shows at a moment of the scene. */
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
  dialled?(voice: Voice): boolean; // whether there is a clock to wait at; without it: there is
  counted?: boolean; // hands and event cards as numbers, open cards on the board
  solution?(update: Update, voice: Voice): OpenCard[];
  laid?(update: Update, voice: Voice): string[]; // cards that are face up, by name
}

/** One question for all that an act asks. */
export type Asking = Component<{ choice: Choice; view: View; ondone: (args: Args) => void; onclose: () => void }>;

/** A board to choose a place or a square on. */
export type Goals = Component<
  { view: Pick<View, 'game' | 'case' | 'seats'>; seat: number; options: readonly string[]; ongive: (value: string) => void }
>;

/** What a view shows of the deal. */
export interface Dealt {
  /** The items of which each has one leaf at most, in the order of the daemon; none while they are not known. */
  items: readonly string[];
  /** Each of them has its leaf, in this order. */
  whole: boolean;
  /** The facts that this seat knows: each must be committed to. */
  facts: readonly string[];
}

/** How a phone shows it; what is loaded is not needed to see the hand. */
export interface PhonePart {
  /** The name of an offer's own button, where one act has several of those offered; '' otherwise. */
  button?(offer: Offer, all: readonly Offer[]): string;
  /** The button that is as wide as all others, by that name. */
  large?: string;
  /** The acts whose question opens by itself after an act of this phone: it is what comes next, unless a player wants otherwise. */
  next?: Readonly<Record<string, readonly string[]>>;
  /** The card that another seat has shown to this seat only, until it is read. */
  peek(view: View, me: Own, read: string): Sighting | undefined;
  Top?: Component<{ view: View }>; // instead of the clock of rounds
  Hand: Component<{ me: Own; seat: SeatView; dealing: boolean }>;
  /** The page of what the seat knows. */
  loadKnow: () => Promise<{ default: Component<{ view: View; me: Own; notes: Notes }> }>;
  sheet?: boolean; // that is a note sheet
  words: { cards: Key; tokens: Key; first: Key };
  piles?(view: View, voice: Voice): string;
  /** The act that says that cards are there, which the page cannot know: its key is not the filled one. */
  holding?: string;
  /** The things in a place except the pawns of seats. */
  lying?(view: View, place: string): string[];
  /** The cards of the hand are shown one by one, by numbers. */
  numbered?: boolean;
  /** The limits of the seat are shown on a card of its hand, not at each question. */
  limited?: boolean;
  /** The prompt says which card the reader accepts. */
  prompted?(view: View): boolean;
  /** What this view shows of a deal that was committed to by so many leaves. */
  dealt?(view: View, leaves: number, mystery: readonly string[]): Dealt;
  /** What the prompt of this seat says instead, where no card is needed. */
  unread?(view: View): Key | undefined;
  /** An act that is open for a short while, with the sentence that says so. */
  brief?(act: string, view: View): Key | undefined;
  ask?(params: readonly string[]): Asking | undefined;
  loadGoals?: () => Promise<{ default: Goals }>;
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
  /** The cards as in their box, by backs, which do not distinguish them. */
  lots(cards: readonly BenchCard[]): { title?: Key; cards: BenchCard[] }[];
  hidden: { spot: string; wide: number }; // the spot of cards that no player may see
  open(bench: Bench): { spot: string; wide: number } | undefined; // the spot of the other cards outside hands
  spots(bench: Bench): readonly string[]; // those of its own, for the menu
  /** The heaps whose size is public. */
  heaps(update: Update, bench: Bench): Difference[];
  /** The next thing to do before the game begins. */
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

/** A room of the house of a story, in the box of deco/plan. */
export interface Chamber {
  id: string;
  floor: string; // its area, to be filled
  wall: string; // its outline, to be stroked
  name: { x: number; y: number; w: number }; // centre of its first line, and greatest width
  pawns: Box;
}

/** The form of the story of an evening. */
export interface StoryPart {
  /** The house: the ground, and the rooms on it. */
  house(view: Pick<View, 'game' | 'places'>, voice: Voice): { ground: string; chambers: Chamber[] };
}

/** The public part of a view: explanations depend only on it, because a glance at a phone shows them. */
export type Open = Omit<View, 'me' | 'offers' | 'log' | 'viewer' | 'custody' | 'case'> & { case?: Omit<NonNullable<View['case']>, 'past'> };

/** A sentence of the explanations and the values of its blanks. */
export type Line = [key: string, args: Readonly<Record<string, string>>];

/** What a game explains (lessons.fr.json and lessons.en.json of its family in engine/words). */
export interface LessonPart {
  /** The prefixes of its sentences' keys: if the first has none, the next. */
  games(view: Open): readonly string[];
  /** The explanations that are useful to a seat now. */
  now(view: Open, seat: number): readonly string[];
  /** The explanations that stay true for long: others with a moment of their own replace them for a while. */
  lasting: readonly string[];
  /** The explanations that are useful to a seat after a happening. */
  after(happening: Happening, seat: number, view: Open): readonly string[];
  /** The state of the game for a seat, from public facts. */
  state(view: Open, seat: number): readonly Line[];
  /** Its goal, and how far it has come: secret. */
  goal?(me: Own, voice: Voice): Line;
  /** Something that all waiting players may think about now. */
  muse(view: Open, voice: Voice): readonly Line[];
  /** The blanks of the sentence about the effect of an act now. */
  args(view: Open, seat: number): Readonly<Record<string, string>>;
}
