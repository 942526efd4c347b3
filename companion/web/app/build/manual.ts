import MarkdownIt from 'markdown-it';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Plugin, Rolldown } from 'vite';

const MANUAL = new URL('../../manual/', import.meta.url);
const HELP = new URL('../src/help/', import.meta.url);
const LANGUAGES = ['fr', 'en'] as const;

type Language = typeof LANGUAGES[number];

const textOf = (lang: Language, page: string): string => readFileSync(new URL(`${lang}/${page}.md`, MANUAL), 'utf8');

/** The version that is built: that of the newest section of the page of changes. */
export const VERSION = /^## (\S+)/m.exec(textOf('en', 'changes'))?.[1] ?? '';

const SAID = {
  fr: { name: 'Manuel de Majordome', find: 'Chercher dans le manuel', pages: 'Pages', other: 'English', version: `Majordome ${VERSION}\u202f: nouveautés` },
  en: { name: 'Manual of Majordome', find: 'Search the manual', pages: 'Pages', other: 'Français', version: `Majordome ${VERSION}: what is new` },
} as const;

/**
 * Makes the pages of help/ from manual/fr/*.md and manual/en/*.md: one HTML file each with the list of all, in the order of
 * start.md. They share nothing with the app but its fonts.
 */
export function manual(): Plugin {
  return {
    name: 'manual',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const help = join(dir, 'help');
      for (const lang of LANGUAGES) {
        const pages = pagesOf(lang);
        const list = indexOf(lang, pages);
        mkdirSync(join(help, lang), { recursive: true });
        for (const page of pages) writeFileSync(join(help, lang, `${page}.html`), htmlOf(lang, page, textOf(lang, page), list));
      }
      mkdirSync(join(help, 'pictures'));
      for (const name of readdirSync(new URL('pictures/', MANUAL))) {
        writeFileSync(join(help, 'pictures', name), readFileSync(new URL(`pictures/${name}`, MANUAL)));
      }
      writeFileSync(join(help, 'help.css'), faces(bundle) + readFileSync(new URL('help.css', HELP), 'utf8'));
      const script = ts.transpileModule(readFileSync(new URL('search.ts', HELP), 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, removeComments: true },
      });
      writeFileSync(join(help, 'search.js'), script.outputText);
    },
  };
}

const pagesOf = (lang: Language): string[] => readdirSync(new URL(`${lang}/`, MANUAL)).filter((f) => f.endsWith('.md')).map((f) => f.slice(0, -'.md'.length));

/** The pages in the order in which start.md names them, itself first, with the words of its links. */
function indexOf(lang: Language, pages: readonly string[]): Map<string, string> {
  const text = textOf(lang, 'start');
  const list = new Map([['start', titleOf(text)]]);
  for (const [, words = '', page = ''] of text.matchAll(/\[([^\]]+)\]\(([a-z0-9-]+)\.md\)/g)) if (!list.has(page)) list.set(page, words);
  const lost = pages.filter((p) => !list.has(p));
  if (lost.length > 0) throw new Error(`manual/${lang}/start.md names no page ${lost.join(', ')}`);
  return list;
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1]?.replace(/ *<a id=.*/, '') ?? '';

/** French print keeps these signs with the word beside them. */
const kept = (text: string): string => text.replace(/ (?=[;:!?»])/g, '\u202f').replace(/« /g, '«\u202f');

/** A renderer of pages: links to other pages lead to their HTML, those out of the manual, to files of the source, to nothing. */
function renderer(lang: Language): InstanceType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: true });
  const plain = md.renderer.renderToken.bind(md.renderer);
  md.renderer.rules['table_open'] = (t, i, o) => `<div class="wide">${plain(t, i, o)}`;
  md.renderer.rules['table_close'] = (t, i, o) => `${plain(t, i, o)}</div>`;
  md.core.ruler.push('links', (state) => {
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        if (token.type !== 'link_open') continue;
        const to = String(token.attrGet('href'));
        if (/^\.\.\/\.\./.test(to)) token.attrs = [];
        else token.attrSet('href', to.replace(/\.md(#|$)/, '.html$1'));
      }
    }
  });
  if (lang === 'fr') {
    md.core.ruler.push(
      'spaces',
      (state) => state.tokens.flatMap((b) => b.children ?? []).forEach((t) => (t.content = t.type === 'text' ? kept(t.content) : t.content)),
    );
  }
  return md;
}

/** The link to the same page in the other language, which each file begins with, stands in the head of the HTML. */
const OTHER = /^\[[^\]]+\]\(\.\.\/\w\w\/[a-z0-9-]+\.md\)\n/m;

function htmlOf(lang: Language, page: string, text: string, list: ReadonlyMap<string, string>): string {
  const said = SAID[lang];
  const other = lang === 'fr' ? 'en' : 'fr';
  const items = [...list].map(([p, words]) => `<li><a href="${p}.html"${p === page ? ' aria-current="page"' : ''}>${words}</a></li>`);
  return `<!doctype html>
<html lang="${lang}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <meta name="color-scheme" content="dark">
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="../help.css">
  <script type="module" src="../search.js"></script>
  <title>${titleOf(text)} · Majordome</title>
</head>
<body>
  <header>
    <a class="name" href="start.html">${said.name}</a>
    <label><span class="seen-by-ear">${said.find}</span><input type="search" id="find" placeholder="${said.find}" autocomplete="off"></label>
    <a href="../${other}/${page}.html" lang="${other}" hreflang="${other}">${said.other}</a>
    <ol id="found" hidden></ol>
  </header>
  <nav aria-label="${said.pages}"><ul>${items.join('')}</ul></nav>
  <main>
${renderer(lang).render(text.replace(OTHER, ''))}
  </main>
  <footer><a href="changes.html">${said.version}</a></footer>
</body>
</html>
`;
}

/** The fonts of the app for help.css; the browser has them already where a page of the table was open. */
function faces(bundle: Rolldown.OutputBundle): string {
  const files = Object.keys(bundle);
  return (['400-normal', '400-italic', '500-normal'] as const).map((style) => {
    const file = files.find((f) => f.includes(`eb-garamond-latin-${style}`));
    if (file === undefined) throw new Error(`no font ${style} was built`);
    const [weight, slant] = style.split('-');
    return `@font-face { font-family: 'EB Garamond'; font-weight: ${weight}; font-style: ${slant}; font-display: swap; src: url('/${file}') format('woff2'); }\n`;
  }).join('');
}
