// Runs scenes: takes every public update and says what the table shows now.
import { lastHappening } from '../lib/happened';
import type { Update } from '../lib/wire';
import type { Moment, Scene } from './moment';
import { hasOtherHappenings, momentOf, nextBeat, sceneOf, staged } from './scene';

/** The clock and the timer that a scene player runs on; those of the page unless a test brings its own. */
export interface Ticker {
  now(): number; // ms, never backwards
  after(ms: number, then: () => void): () => void; // the answer cancels it
}

const page: Ticker = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** What a scene player shows: an update, and the scene that it is a moment of. */
export interface Frame {
  update: Update;
  playing?: { scene: Scene; moment: Moment };
}

export class ScenePlayer {
  #frame = $state.raw<Frame | undefined>();
  #truth: Update | undefined; // the last update taken
  #scene: Scene | undefined;
  #began = 0;
  #cancel: (() => void) | undefined;
  readonly #ticker: Ticker;

  constructor(ticker: Ticker = page) {
    this.#ticker = ticker;
  }

  get frame(): Frame | undefined {
    return this.#frame;
  }

  /** Accepts an update. The first one is shown at once; one that is later in the game ends a scene. */
  take(update: Update): void {
    const scene = sceneOf(this.#truth, update);
    const cut = update.cut !== undefined && update.cut === lastHappening(update.view); // the host has ended it
    const ended = this.#scene !== undefined && (cut || hasOtherHappenings(this.#scene.after, update));
    this.#truth = update;
    if (scene !== undefined) {
      this.#scene = scene;
      this.#began = this.#ticker.now() - scene.start;
    } else if (ended) {
      this.#scene = undefined;
    } else if (this.#scene !== undefined) {
      this.#scene = { ...this.#scene, after: update };
    }
    this.#show();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #show(): void {
    this.stop();
    const scene = this.#scene;
    if (scene === undefined) {
      this.#frame = this.#truth === undefined ? undefined : { update: this.#truth };
      return;
    }
    const t = this.#ticker.now() - this.#began;
    const moment = momentOf(scene, t);
    if (moment.over) {
      this.#scene = undefined;
      this.#frame = { update: scene.after };
      return;
    }
    this.#frame = { update: staged(scene, moment), playing: { scene, moment } };
    this.#cancel = this.#ticker.after(nextBeat(scene, t) - t, () => this.#show());
  }
}
