// What acts and their options are called. Acts are named by the words
// ui.act.<act>; a game that brings a new one adds the words, and until then the
// act's own name stands on the button.
import type { Step } from '../lib/offers';
import { has, type Key } from '../lib/words';
import type { Voice } from './faces';

const readable = (id: string): string => {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function actName(voice: Pick<Voice, 't'>, act: string): string {
  const key = `ui.act.${act}`;
  return has(key) ? voice.t(key) : readable(act);
}

export function optionName(voice: Pick<Voice, 't' | 'label'>, value: string): string {
  const key = `ui.value.${value}`;
  if (has(key)) return voice.t(key);
  const label = voice.label(value);
  return label === value && !/\s/.test(value) ? readable(value) : label;
}

const ASK: Record<string, Key> = {
  card: 'ui.ask.card',
  shown: 'ui.ask.shown',
  place: 'ui.ask.place',
  seat: 'ui.ask.seat',
  character: 'ui.ask.character',
  text: 'ui.ask.text',
};

export const askFor = (voice: Pick<Voice, 't'>, step: Step): string => voice.t(ASK[step.kind] ?? 'ui.ask.value');
