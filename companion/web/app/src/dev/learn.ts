// Tests speak both languages from the start.
import { LANGS, learn } from '../lib/words';

await Promise.all(LANGS.map((lang) => learn(lang)));
