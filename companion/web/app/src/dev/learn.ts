// Tests speak both languages from the start.
import { LANGS, learn, noPhone } from '../lib/words';

noPhone();
await Promise.all(LANGS.map((lang) => learn(lang)));
