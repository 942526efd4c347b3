// Shows one page with sample data: /src/dev/index.html?page=table&sample=play&lang=en
// With &tap=A|B the buttons that begin with A and then with B are pressed.
import { type Component, mount, tick } from 'svelte';
import '../fonts.css';
import '../tokens.css';
import { tongue } from '../lib/tongue.svelte';
import { learn } from '../lib/words';
import { names } from './fixtures';

await Promise.all([learn('fr'), learn('en')]);
const ask = new URLSearchParams(location.search);
const lang = ask.get('lang');
tongue.lang = lang === 'en' ? 'en' : 'fr';
tongue.learnNames(names);
document.documentElement.lang = tongue.lang;

const pages = import.meta.glob<{ default: Component<{ sample: string }> }>('./*.svelte');
const page = await pages[`./${ask.get('page') ?? 'table'}.svelte`]?.();
const target = document.getElementById('app');
if (page && target) mount(page.default, { target, props: { sample: ask.get('sample') ?? 'play' } });

for (const words of (ask.get('tap') ?? '').split('|').filter((w) => w !== '')) {
  await tick();
  const button = [...document.querySelectorAll<HTMLElement>('button, summary')].find((b) => (b.textContent ?? '').replace(/\s+/g, ' ').includes(words));
  button?.click();
}
