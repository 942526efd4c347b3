import type { PublicPart } from '../parts';

export const part: PublicPart = {
  headline({ view }, voice) {
    const { at, of } = view.clock;
    if (view.phase === 'lobby') return { title: voice.t('ui.display.lobby'), under: '' };
    if (at < 1) return { title: of < 1 ? voice.label(view.game) : voice.t('ui.display.setup'), under: '' }; // not every game has rounds
    return { title: of < 1 ? voice.t('ui.clock.at', { at }) : voice.t('ui.display.round', { at, of }), under: '' }; // HC-211: no last one
  },
  awaited: ({ view }) => view.active,
};
