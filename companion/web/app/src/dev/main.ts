// Shows one page with sample data: /src/dev/index.html?page=table&sample=play&lang=en
// With &tap=A|B the buttons that say A and then B are pressed; with &hold=C one is held.
// Without a sample it waits for a call of window.show or window.look (crawl.ts).
import { type Component, mount, tick, unmount } from 'svelte';
import '../fonts.css';
import '../tokens.css';
import { held } from '../lib/hold.svelte';
import { language } from '../lib/language.svelte';
import { loadLessons } from '../lib/lessons';
import { LANGS, loadWords, loadAllRooms } from '../lib/words';
import { crawl, type Eyes, still } from './crawl';
import { names } from './fixtures';
import { listAllLosses } from './losses';

loadAllRooms();
// Also the parts that a page loads later, so that a picture does not depend on the network.
await Promise.all([
  ...LANGS.flatMap((lang) => [loadWords(lang), loadLessons(lang)]),
  ...[
    import('../phone/Lessons.svelte'),
    import('../phone/Wait.svelte'),
    import('../phone/Corrections.svelte'),
    import('../phone/TableFacts.svelte'),
    import('../phone/Goal.svelte'),
    import('../phone/Know.svelte'),
    import('../games/cluedo/Notebook.svelte'),
    import('../games/cluedo/Where.svelte'),
    import('../office/Figures.svelte'),
  ],
]);
const ask = new URLSearchParams(location.search);

interface Page {
  default: Component<{ sample: string }>;
  all: string[];
  later?: (sample: string) => Promise<void>; // resolves when the late parts are shown
}
const pages = import.meta.glob<Page>('./*.svelte');
const target = document.getElementById('app')!;
const page = await pages[`./${ask.get('page') ?? 'table'}.svelte`]?.();

let shown: ReturnType<typeof mount> | undefined;
async function show(sample: string, lang: string | null): Promise<void> {
  held.hide();
  localStorage.clear(); // a phone that has read and chosen nothing
  if (shown) await unmount(shown);
  history.replaceState(null, ''); // it opens with its first tab
  language.lang = lang === 'en' ? 'en' : 'fr';
  language.learnNames(names);
  if (page) shown = mount(page.default, { target, props: { sample } });
  await tick();
  await page?.later?.(sample);
}

const sample = ask.get('sample');
if (sample !== null) await show(sample, ask.get('lang'));
Object.assign(window, {
  samples: page?.all ?? [],
  show,
  stand: (sample: string, lang: string): Promise<void> => show(sample, lang).then(still),
  losses: (sample: string, lang: string): Promise<string[]> => show(sample, lang).then(still).then(listAllLosses),
  look: async (sample: string, lang: string, eyes: Eyes): Promise<string> =>
    JSON.stringify(await crawl(sample, () => show(sample, lang), eyes)),
});

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
