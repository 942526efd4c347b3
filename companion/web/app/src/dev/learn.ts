// Tests speak both languages from the start, and each file of them begins as on a page just opened.
import { language } from '../lib/language.svelte';
import { LANGS, learn, noPhone } from '../lib/words';

noPhone();
await Promise.all(LANGS.map((lang) => learn(lang)));
language.lang = 'en'; // as this browser prefers
language.learnNames([]);
language.learnSeats([]);
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');
document.body.replaceChildren();
