// What the host's page works out of an enrolment: what may be done, what a card is called,
// and a long text in the pieces that the table takes.
import type { Enrol } from '../gen/wire';
import type { Voice } from '../lib/voice';
import type { Args, Offer } from '../lib/wire';
import { has, spaced } from '../lib/words';
import type { Job } from './line.svelte';

/** Whether an act may be done now with this value. */
export const may = (offers: readonly Offer[], act: string, value: string): boolean =>
  offers.some((o) => o.act === act && o.params?.some((p) => p.domain?.includes(value)));

/** What a card of the enrolment is called: one of the deck, a pawn or a control card. */
export function cardName(voice: Pick<Voice, 't' | 'label'>, id: string): string {
  if (id.startsWith('pawn-')) return voice.t('host.enrol.pawn', { who: id.slice('pawn-'.length) });
  const control = `host.enrol.control.${id}`;
  return has(control) ? voice.t(control) : voice.label(id);
}

/** The sentence about the last tag or act; '' when there is nothing to say. */
export function lastWords(voice: Pick<Voice, 't' | 'label'> & { lang: 'fr' | 'en' }, e: Enrol): string {
  if (e.why) return spaced(voice.lang, e.why[voice.lang]);
  const key = `host.enrol.last.${e.last ?? ''}`;
  return has(key) ? voice.t(key, { card: e.card ? cardName(voice, e.card) : '', tag: e.tag ?? '' }) : '';
}

/** Bytes of JSON that one piece may have: an act carries 1 KiB with its name and number. */
const PIECE = 700;

/** A text in pieces, each an act; at is what comes before it, in bytes of UTF-8. */
export function pieces(act: string, of: string, text: string): Job[] {
  const bytes = (s: string): number => new TextEncoder().encode(s).length;
  const jobs: Job[] = [];
  let [piece, size, at] = ['', 0, 0];
  const flush = (): void => {
    const args: Args = { of, at: String(at), text: piece };
    jobs.push({ key: `${act} ${jobs.length}`, act, args });
    at += bytes(piece);
    [piece, size] = ['', 0];
  };
  for (const c of text) {
    const more = bytes(JSON.stringify(c)) - 2;
    if (size + more > PIECE) flush();
    piece += c;
    size += more;
  }
  if (piece !== '' || jobs.length === 0) flush();
  return jobs;
}
