// Labels of acts and their options. The label of an act is the sentence
// ui.act.<act>; without one, as in a new game, the button shows the act's
// own name.
import type { Step } from '../lib/offers';
import type { Voice } from '../lib/voice';
import type { View } from '../lib/wire';
import { hasWords, type Key } from '../lib/words';

const readableID = (id: string): string => {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function actName(voice: Pick<Voice, 't'>, act: string): string {
  const key = `ui.act.${act}`;
  return hasWords(key) ? voice.t(key) : readableID(act);
}

/** The public facts of a place or a face-up card that help to choose it. */
export function optionNote(voice: Pick<Voice, 't' | 'label' | 'name'>, view: Pick<View, 'places'>, value: string): string {
  const at = view.places.find((p) => p.place === value);
  if (at) {
    const who = at.pawns.map((n) => voice.label(`seat-${n}`));
    return [...(at.weapon ? [voice.label(at.weapon)] : []), voice.t('ui.manor.cards', { n: at.cards }), ...who].join(' · ');
  }
  const name = voice.name(value);
  return name?.kind === 'weapon' && name.of !== undefined ? voice.t('phone.tile.kills', { place: name.of }) : '';
}

/** A line that says what an act is for, where its name is not enough. */
export function actHelp(voice: Pick<Voice, 't'>, act: string): string | undefined {
  const key = `phone.help.${act}`;
  return hasWords(key) ? voice.t(key) : undefined;
}

export function optionName(voice: Pick<Voice, 't' | 'label'>, value: string): string {
  for (const key of [`phone.plain.${value}`, `ui.value.${value}`]) if (hasWords(key)) return voice.t(key);
  const label = voice.label(value);
  return label === value && !/\s/.test(value) ? readableID(value) : label;
}

/** A button that answers without naming anything. */
export function plainName(voice: Pick<Voice, 't'>, value: string): string {
  const key = `phone.plain.${value === '' ? 'none' : value}`;
  return hasWords(key) ? voice.t(key) : readableID(value);
}

const ASK: Record<string, Key> = {
  card: 'ui.ask.card',
  shown: 'ui.ask.shown',
  place: 'ui.ask.place',
  square: 'ui.ask.place',
  seat: 'ui.ask.seat',
  character: 'ui.ask.character',
  text: 'ui.ask.text',
};

const ASK_OPENLY: Record<string, Key> = { card: 'phone.ask.open.card', value: 'phone.ask.open.value' };

export const questionFor = (voice: Pick<Voice, 't'>, step: Partial<Step> & Pick<Step, 'kind'>): string =>
  voice.t((step.secret === false ? ASK_OPENLY[step.kind] : undefined) ?? ASK[step.kind] ?? 'ui.ask.value');
