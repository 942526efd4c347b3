// The search of the manual: all its pages in one language are loaded when the reader begins to type.

/** The part of a page between two headings. */
interface Section {
  to: string; // its address
  page: string; // the title of the page
  title: string;
  text: string;
  folded: string; // title and text
}

const MOST = 12; // results that are shown
const HEADING = /^H[123]$/;

/** Letters without accents and case, so that "lumiere" finds "Lumières". */
const foldText = (s: string): string => s.normalize('NFD').replace(/\p{M}/gu, '').replace(/’/g, "'").replace(/\s/g, ' ').toLowerCase();

const input = document.querySelector<HTMLInputElement>('#find');
const list = document.querySelector<HTMLOListElement>('#found');
let sections: Promise<Section[]> | undefined;

async function readPage(page: string): Promise<Section[]> {
  const html = new DOMParser().parseFromString(await (await fetch(page)).text(), 'text/html');
  const main = html.querySelector('main');
  const of = main?.querySelector('h1')?.textContent.trim() ?? '';
  const all: Section[] = [];
  for (const part of main?.children ?? []) {
    const said = part.textContent.trim().replace(/[ \n]+/g, ' ');
    const anchor = part.querySelector('a[id]')?.id;
    if (HEADING.test(part.tagName)) {
      all.push({ to: anchor === undefined ? page : `${page}#${anchor}`, page: of, title: said, text: '', folded: foldText(said) });
    }
    const now = all.at(-1);
    if (!now || HEADING.test(part.tagName)) continue;
    now.text += ` ${said}`;
    now.folded += ` ${foldText(said)}`;
  }
  return all;
}

const loadSections = async (): Promise<Section[]> =>
  (await Promise.all([...document.querySelectorAll('nav a')].map((a) => readPage(a.getAttribute('href') ?? '')))).flat();

/** 2 if a text has the word, 1 if only as a part of another word ("pin" in "pinout"), else 0. */
const rankWord = (folded: string, word: string): number => !folded.includes(word) ? 0 : folded.split(/[^\p{L}\d]+/u).includes(word) ? 2 : 1;

/** The sections that contain every word, those with the words in the title first. */
async function findSections(words: readonly string[]): Promise<Section[]> {
  sections ??= loadSections();
  const weight = (s: Section): number => words.reduce((sum, w) => sum + 2 * rankWord(foldText(s.title), w) + rankWord(s.folded, w), 0);
  return (await sections)
    .filter((s) => words.every((w) => s.folded.includes(w)))
    .map((s) => ({ s, weight: weight(s) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ s }) => s);
}

/** The words around the first one that was found. */
function excerptAround(text: string, word: string): string {
  const at = Math.max(0, foldText(text).indexOf(word) - 40);
  const piece = text.slice(at, at + 120);
  return `${at > 0 ? piece.replace(/^\S*/, '…') : piece}${at + 120 < text.length ? '…' : ''}`;
}

async function showResults(): Promise<void> {
  if (!input || !list) return;
  const asked = input.value;
  const words = foldText(asked).split(' ').filter((w) => w !== '');
  const found = words.length > 0 ? await findSections(words) : [];
  if (input.value !== asked) return; // the input has changed meanwhile
  list.replaceChildren(...found.map((s) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = s.to;
    link.textContent = s.title;
    const piece = document.createElement('p');
    piece.textContent = excerptAround(s.text, words[0] ?? '');
    item.append(link, ...(s.title === s.page ? [] : [` · ${s.page}`]), piece);
    return item;
  }));
  if (words.length > 0 && found.length === 0) {
    list.append(Object.assign(document.createElement('li'), { textContent: list.dataset['none'] ?? '' }));
  }
  list.hidden = words.length === 0;
}

input?.addEventListener('input', () => void showResults());
input?.addEventListener('keydown', (e) => {
  if (e.key !== 'Escape' || !list) return;
  input.value = '';
  list.hidden = true;
});
list?.addEventListener('click', () => {
  list.hidden = true;
});

// A list of pages that is longer than the window is scrolled to this page.
const here = document.querySelector<HTMLElement>('nav [aria-current]');
const pages = document.querySelector('nav > div');
if (here && pages) pages.scrollTop = here.offsetTop - pages.clientHeight / 2;
