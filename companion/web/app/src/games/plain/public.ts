import type { PublicPart } from '../parts';

export const part: PublicPart = {
  headline({ view }, voice) {
    const { at, of } = view.clock;
    if (at < 1) return { title: voice.t(view.phase === 'lobby' ? 'ui.display.lobby' : 'ui.display.setup'), under: '' };
    return { title: of < 1 ? voice.t('ui.clock.at', { at }) : voice.t('ui.display.round', { at, of }), under: '' }; // lifted (HC-211): no last one
  },
  awaited: ({ view }) => view.active,
};
