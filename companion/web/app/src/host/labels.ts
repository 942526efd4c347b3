// Labels of the host's acts. The host acts for others, so many acts have
// words of their own here (host.act.<act>); for the others the phone's words are used.
import { Unnamed } from '../gen/engine';
import type { Offer } from '../lib/wire';
import { type Key, hasWords } from '../lib/words';
import { actName } from '../phone/labels';

interface Words {
  t(key: Key, args?: Record<string, string | number>): string;
  label(id: string): string;
}

/** Whether an offer leaves the card without a name. */
export const isUnnamed = (o: Offer): boolean => o.fixed?.['card'] === Unnamed;

export function offerName(words: Words, o: Offer): string {
  const plain = hasWords(`host.act.${o.act}`) ? words.t(`host.act.${o.act}` as Key) : actName(words, o.act);
  if (isUnnamed(o)) {
    const key = `host.act.${o.act}.unnamed`;
    return hasWords(key) ? words.t(key) : words.t('host.act.unnamed', { act: plain });
  }
  const fixed = Object.entries(o.fixed ?? {});
  if (!o.params && hasWords(`host.act.${o.act}.plain`)) return words.t(`host.act.${o.act}.plain` as Key);
  const special = fixed.map(([, value]) => `host.act.${o.act}.${value}`).find(hasWords);
  const of = fixed.filter(([name]) => name === 'seat' || name === 'for' || name === 'place' || (name === 'rule' && special === undefined))
    .map(([, value]) => words.label(value));
  return [special === undefined ? plain : words.t(special), ...of].join(' · ');
}

/** One sentence about what an act means; empty when there is none. */
export function offerHint(words: Words, o: Offer): string {
  const key = [...Object.values(o.fixed ?? {}).map((value) => `host.hint.${o.act}.${value}`), `host.hint.${o.act}`].find(hasWords);
  return key === undefined ? '' : words.t(key);
}

/** The question before a grave act; for some acts it explains the effect. */
export function offerSure(words: Words, o: Offer): string {
  const key = [`host.sure.${o.act}.${o.fixed?.['force'] === undefined ? '' : 'force'}`, `host.sure.${o.act}`].find(hasWords);
  return key === undefined ? words.t('ui.host.sure') : words.t(key as Key);
}

/** The name of a reader, by its role or its place. */
export const readerName = (words: Words, role: string): string =>
  words.t(role === 'urn' || role === 'show' || role === 'enrol' ? `ui.bench.reader.${role}` : 'ui.host.reader', { role });

/** The name of a kind of device; '' for an unknown kind. */
export function kindName(words: Pick<Words, 't'>, kind = ''): string {
  const key = `host.kind.${kind}`;
  return hasWords(key) ? words.t(key) : '';
}

/** A backup by its moment and game, from the name of its file: 2026-11-22_21-14-03_game-12.db. */
export function backupName(file: string): string {
  const m = /^(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-\d\d_game-(\d+)\.db$/.exec(file);
  return m ? `${m[1]} ${m[2]}:${m[3]} · n° ${m[4]}` : file;
}
