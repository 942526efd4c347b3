// Whether this phone's screen stays on while a game runs: by what it is kept, and whether its player wants that.
import { type How, awake } from '../lib/awake';
import { item } from '../lib/storage';

const kept = item('screen');

class Screen {
  /** By what it is kept on; undefined while no game runs, and where its player lets it sleep. */
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
      const stop = awake((how) => (this.how = how));
      return () => {
        stop();
        this.how = undefined;
      };
    });
  }
}

export const screen = new Screen();
