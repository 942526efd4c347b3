// A seat's page with a sample, for its tests.
import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, vi } from 'vitest';
import type { ActState } from '../lib/acts.svelte';
import { held } from '../lib/hold.svelte';
import { language } from '../lib/language.svelte';
import type { Param, Update } from '../lib/wire';
import Seat from '../phone/Seat.svelte';
import { tutor } from '../phone/tutor.svelte';
import { names } from './samples';
import { seatSamples } from './seats';

const IDLE: ActState = { is: 'idle' };

/** The acts sent by the page that was opened last. */
export const done: [string, Record<string, string>][] = [];

export function open(sample: string, over: { state?: ActState; connection?: 'live' | 'lost' } = {},
  change: (u: Update) => void = () => {})
{
  const update = (seatSamples[sample] as () => Update)();
  change(update);
  language.learnSeats(update.view.seats);
  history.replaceState(null, ''); // it opens with its first tab
  done.length = 0;
  return render(Seat, {
    update,
    connection: over.connection ?? 'live',
    state: over.state ?? IDLE,
    onact: (act, args) => void done.push([act, args]),
    ondismiss: () => {},
    onforget: () => {},
  });
}

/** Sets up and cleans up each test of a file. */
export function eachTest(): void {
  beforeEach(() => {
    language.learnNames(names['huis-clos']);
    language.lang = 'en';
    tutor.off = true; // no explanations: one tap acts
    vi.spyOn(Math, 'random').mockReturnValue(0.999); // no shuffling
  });
  afterEach(() => {
    cleanup();
    held.hide();
    vi.restoreAllMocks();
  });
}

/** The first parameter of an offered act. */
export const paramOf = (u: Update, act: string): Param => u.view.offers.find((o) => o.act === act)!.params![0]!;
export const text = () => document.body.textContent ?? '';
export const secret = 'Lady Borrow’s clue no.\u00a02'; // the first card of the sample's hand
export const press = (e: HTMLElement) => fireEvent.pointerDown(e, { isPrimary: true, button: 0, pointerId: 1 });
