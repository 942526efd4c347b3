// The words for cards and tags on the pages of an enrolment.
import type { Enrolling } from '../gen/wire';
import type { Voice } from '../lib/voice';
import { hasWords, addSpaces } from '../lib/words';

/** The name of a card of the enrolment: one of the deck, a pawn or a control card. */
export function cardName(voice: Pick<Voice, 't' | 'label'>, id: string): string {
  if (id.startsWith('pawn-')) return voice.t('host.enrol.pawn', { who: id.slice('pawn-'.length) });
  const control = `host.enrol.control.${id}`;
  return hasWords(control) ? voice.t(control) : voice.label(id);
}

/** The sentence about the last tag or act; '' when there is nothing to say. */
export function lastWords(voice: Pick<Voice, 't' | 'label'> & { lang: 'fr' | 'en' }, e: Enrolling): string {
  if (e.why) return addSpaces(voice.lang, e.why[voice.lang]);
  const key = `host.enrol.last.${e.last ?? ''}`;
  return hasWords(key) ? voice.t(key, { card: e.card ? cardName(voice, e.card) : '', tag: e.tag ?? '' }) : '';
}
