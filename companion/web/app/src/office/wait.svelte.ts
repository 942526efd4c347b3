// The wait after wrong PINs, counted down on the page: the daemon says once how long it is.
import type { Voice } from '../lib/voice';
import type { Msg } from '../lib/wire';

/** The message of a refusal after which the next try must wait. */
export const WAITS = 'table.staff.wait';

/** The wait before the next try, in words: in minutes above 90 s. */
export const waitText = (left: number, voice: Pick<Voice, 't'>): string =>
  left > 90 ? voice.t('host.staff.wait', { n: Math.ceil(left / 60) }) : voice.t(WAITS, { n: left });

export class Wait {
  /** Seconds until the next try; 0: now. */
  left = $state(0);

  constructor(refused: () => Msg | undefined) {
    $effect(() => {
      const why = refused();
      const ends = Date.now() + (why?.k === WAITS ? 1000 * Number(why.a?.['n']) : 0);
      const count = (): number => (this.left = Math.max(0, Math.ceil((ends - Date.now()) / 1000)));
      if (count() === 0) return;
      const timer = setInterval(() => count() === 0 && clearInterval(timer), 250);
      return () => clearInterval(timer);
    });
  }
}
