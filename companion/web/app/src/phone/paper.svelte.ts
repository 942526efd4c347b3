// The paper of the cards and of the note sheet on this phone: light, or dark for a dark room. Until its player chooses, it
// follows the colours that the phone is set to.
import { browserItem } from '../lib/storage';

const kept = browserItem('paper');
const night = matchMedia('(prefers-color-scheme: dark)');

class Paper {
  dark = $state(false);

  constructor() {
    this.show();
    night.addEventListener('change', () => this.show());
  }

  show(): void {
    this.dark = (kept.get() ?? (night.matches ? 'dark' : 'light')) === 'dark';
    document.documentElement.classList.toggle('dark-paper', this.dark);
  }

  turn(): void {
    kept.set(this.dark ? 'light' : 'dark');
    this.show();
  }
}

export const paper = new Paper();
