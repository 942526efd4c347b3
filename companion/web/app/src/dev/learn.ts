// The set-up of all tests: both languages are loaded, each file begins as on a page just opened, waiting
// has a time limit that suits a busy machine, and a warning of Svelte fails the test that caused it.
import { configure } from '@testing-library/svelte';
import { afterAll, afterEach, expect } from 'vitest';
import { language } from '../lib/language.svelte';
import { LANGS, loadWords, loadAllRooms } from '../lib/words';

configure({ asyncUtilTimeout: 20_000 });
loadAllRooms();
await Promise.all(LANGS.map((lang) => loadWords(lang)));
language.lang = 'en'; // as this browser prefers
language.learnNames([]);
language.learnSeats([]);
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');
document.body.replaceChildren();

const warn = console.warn;
const warnings: string[] = [];
console.warn = (...args: unknown[]) => {
  if (String(args[0]).includes('[svelte]')) warnings.push(String(args[0]));
  else warn(...args);
};
afterEach(() => expect(warnings.splice(0), 'warnings of Svelte').toEqual([]));
afterAll(() => void (console.warn = warn));
