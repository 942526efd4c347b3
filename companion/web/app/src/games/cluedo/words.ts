// What the games of this family say: sentences that their pages name are checked by the compiler.
import type en from '../../../../../../engine/words/cluedo/en.json';
import type fr from '../../../../../../engine/words/cluedo/fr.json';

declare module '../../lib/words' {
  interface Families {
    cluedo: keyof typeof fr & keyof typeof en;
  }
}
