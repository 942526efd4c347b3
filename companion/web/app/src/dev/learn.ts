// Tests speak both languages from the start, each file of them begins as on a page just opened, and what is waited
// for may take as long as on a busy machine.
import { configure } from '@testing-library/svelte';
import { language } from '../lib/language.svelte';
import { LANGS, learn, noPhone } from '../lib/words';

configure({ asyncUtilTimeout: 20_000 });
noPhone();
await Promise.all(LANGS.map((lang) => learn(lang)));
language.lang = 'en'; // as this browser prefers
language.learnNames([]);
language.learnSeats([]);
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');
document.body.replaceChildren();
