// What the games of this family say: sentences that their pages name are checked by the compiler.
import type en from '../../../../../../engine/words/huisclos/en.json';
import type fr from '../../../../../../engine/words/huisclos/fr.json';

declare module '../../lib/words' {
  interface Families {
    huisclos: keyof typeof fr & keyof typeof en;
  }
}
