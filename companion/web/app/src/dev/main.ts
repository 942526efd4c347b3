// Shows one page with sample data: /src/dev/index.html?page=table&sample=play&lang=en
// With &tap=A|B the buttons that say A and then B are pressed; with &hold=C one is held.
import { type Component, mount, tick } from 'svelte';
import '../fonts.css';
import '../tokens.css';
import { language } from '../lib/language.svelte';
import { learn, noPhone } from '../lib/words';
import { names } from './fixtures';

noPhone();
await Promise.all([learn('fr'), learn('en')]);
const ask = new URLSearchParams(location.search);
const lang = ask.get('lang');
language.lang = lang === 'en' ? 'en' : 'fr';
language.learnNames(names);
document.documentElement.lang = language.lang;

const pages = import.meta.glob<{ default: Component<{ sample: string }> }>('./*.svelte');
const page = await pages[`./${ask.get('page') ?? 'table'}.svelte`]?.();
const target = document.getElementById('app');
if (page && target) mount(page.default, { target, props: { sample: ask.get('sample') ?? 'play' } });

const find = (words: string) =>
  [...document.querySelectorAll<HTMLElement>('button, summary')].find((b) => (b.textContent ?? '').replace(/\s+/g, ' ').includes(words));
for (const words of (ask.get('tap') ?? '').split('|').filter((w) => w !== '')) {
  await tick();
  find(words)?.click();
}
const holding = ask.get('hold');
if (holding) {
  await tick();
  find(holding)?.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, button: 0, bubbles: true }));
}
