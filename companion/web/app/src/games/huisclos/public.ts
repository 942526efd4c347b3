import type { Voice } from '../../lib/voice';
import { MoodDuel, type Update } from '../../lib/wire';
import type { PublicPart } from '../parts';
import * as plain from '../plain/public';

export const part: PublicPart = {
  ...plain.part,
  headline(update, voice) {
    if (update.view.clock.at < 1 && update.view.phase !== 'lobby') return { title: voice.t('ui.display.setup'), under: '' };
    return { ...plain.part.headline(update, voice), under: accusationLine(update, voice) };
  },
  urn: true,
  urnLine({ view }, voice) {
    if (view.clock.at < 1 || view.result !== undefined) return '';
    const first = view.seats.find((s) => s.first);
    const holder = first === undefined ? '' : voice.label(`seat-${first.seat}`);
    if (view.urn === 0) return holder === '' ? '' : voice.t('ui.display.urn.with', { name: holder });
    const left = view.seats.filter((s) => s.alive).length - view.urn;
    return voice.t(left > 0 ? 'ui.display.urn.count' : 'ui.display.urn.full', { n: view.urn });
  },
};

/** When accusations open, in words; only two are left in the Confrontation (HC-200). */
function accusationLine({ view }: Update, voice: Voice): string {
  const { at, mark, open } = view.clock;
  if (at < 1) return '';
  if (view.mood === MoodDuel) return voice.t('ui.display.duel');
  if (open) return voice.t('ui.display.accuse.open');
  return mark > at ? voice.t('ui.display.accuse.from', { round: mark }) : '';
}
