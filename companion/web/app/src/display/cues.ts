// Which sounds go with a frame of the display. Like its words they come only from public
// updates: from what has happened and from the moments of a scene, never from a card.

import * as hap from '../gen/engine';
import { happenedSince } from '../lib/happened';
import { HAPPENINGS } from '../lib/happenings';
import type { Moment, Scene } from './moment';
import type { Frame } from './sceneplayer.svelte';
import type { Cue } from './sounds';

/** The sound of a happening, the same for every seat and card. A happening that is not listed is silent. */
const HEARD: Readonly<Record<string, Cue>> = Object.fromEntries(
  HAPPENINGS.flatMap((k) => (k.sound === undefined ? [] : [[k.what, k.sound as Cue]])),
);

/** The order of weight: of several sounds at once only the weightiest is played. */
const WEIGHT: readonly Cue[] = ['victory', 'murder', 'midnight', 'reveal', 'wrong', 'chime', 'urn', 'answer', 'card'];

/** The sound from one frame to the next. The first frame of a page is no news, and neither is another game. */
export function cueOf(before: Frame | undefined, now: Frame): Cue | undefined {
  if (before === undefined || before.update.epoch !== now.update.epoch || before.update.view.game !== now.update.view.game) {
    return undefined;
  }
  const [then, scene] = [before.playing, now.playing];
  if (scene !== undefined) {
    const [was, is] = [then?.scene === undefined ? undefined : then.moment, scene.moment];
    if (scene.scene.of === 'verdict') return verdictCue(was, is, scene.scene);
    if (was === undefined && scene.scene.start === 0 && scene.scene.of === 'urn') return 'urn';
    const night = scene.scene.of === 'midnight';
    if (is.struck > (was?.struck ?? 0)) return night ? 'midnight' : 'murder';
    if (is.turned > (was?.turned ?? 0)) return night ? 'murder' : 'reveal';
    return is.laid > (was?.laid ?? 0) ? 'card' : undefined;
  }
  const shown = new Set(then?.scene.news.map((h) => h.n)); // the scene has sounded them
  const heard = happenedSince(before.update.view, now.update.view).filter((h) => !shown.has(h.n) || h.what === hap.HapOver).map((h) =>
    HEARD[h.what]
  );
  return WEIGHT.find((c) => heard.includes(c));
}

// The same until the envelope has spoken: the accusation, a knock for each name, the envelope.
function verdictCue(was: Moment | undefined, is: Moment, { start, right }: Scene): Cue | undefined {
  if (is.turned > (was?.turned ?? 0)) return right === true ? 'reveal' : 'wrong';
  if (is.laid > (was?.laid ?? 0)) return 'card';
  if (is.opened === true && was?.opened !== true) return 'envelope';
  if (was === undefined) return start === 0 ? 'reveal' : undefined;
  return is.struck > was.struck ? 'answer' : undefined;
}
