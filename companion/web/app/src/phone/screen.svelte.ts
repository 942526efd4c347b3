// Keeps this phone's screen on while a game runs, if its player wants that.
import { type How, keepAwake } from '../lib/awake';
import { browserItem } from '../lib/storage';

const kept = browserItem('screen');

class Screen {
  /** The means that keeps it on; undefined while no game runs, or if the player lets it sleep. */
  how = $state<How>();
  wanted = $state(kept.get() !== 'off');

  turn(): void {
    this.wanted = !this.wanted;
    kept.set(this.wanted ? 'on' : 'off');
  }

  /** Keeps it on while that is true. */
  keep(running: () => boolean): void {
    $effect(() => {
      if (!running() || !this.wanted) return;
      const stop = keepAwake((how) => (this.how = how));
      return () => {
        stop();
        this.how = undefined;
      };
    });
  }
}

export const screen = new Screen();
