// The effect that an act would have for a seat now, shown before the act to players who
// have not said that they know the game. These words are not urgent: until they have
// been fetched there are none.
import { lessonsOf } from '../games/lessons';
import type { Open } from '../games/parts';
import { language } from '../lib/language.svelte';
import { formatLesson } from '../lib/lessons';
import type { View } from '../lib/wire';
import { tutor } from './tutor.svelte';

export function actEffect(view: View, act: string): string | undefined {
  if (tutor.off) return undefined;
  const open: Open = view;
  const part = lessonsOf(open);
  return formatLesson(language.lang, part.games(open), `act.${act}`, part.args(open, view.me?.seat ?? 0), language.label);
}
