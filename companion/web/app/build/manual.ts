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

/** The version that is built: the heading of the newest section of changes.md. */
export const VERSION = /^## (\S+)/m.exec(textOf('en', 'changes'))?.[1] ?? '';

const SAID = {
  fr: {
    name: 'Manuel de Majordome',
    find: 'Chercher dans le manuel',
    none: 'Rien trouvé.',
    pages: 'Pages',
    other: 'English',
    version: `Majordome ${VERSION}\u202f: nouveautés`,
  },
  en: {
    name: 'Manual of Majordome',
    find: 'Search the manual',
    none: 'Nothing found.',
    pages: 'Pages',
    other: 'Français',
    version: `Majordome ${VERSION}: what is new`,
  },
} as const;

/**
 * Makes the pages of help/ from manual/fr/*.md and manual/en/*.md: one HTML file each with the list of all, in the order of
 * start.md. They share only the fonts with the app.
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
      for (const name of shown()) writeFileSync(join(help, 'pictures', name), readFileSync(new URL(`pictures/${name}`, MANUAL)));
      writeFileSync(join(help, 'help.css'), faces(bundle) + readFileSync(new URL('help.css', HELP), 'utf8'));
      const script = ts.transpileModule(readFileSync(new URL('search.ts', HELP), 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, removeComments: true },
      });
      writeFileSync(join(help, 'search.js'), script.outputText);
    },
  };
}

const pagesOf = (lang: Language): string[] =>
  readdirSync(new URL(`${lang}/`, MANUAL)).filter((f) => f.endsWith('.md')).map((f) => f.slice(0, -'.md'.length));

/** The pictures that a page shows; the others are the README's. */
function shown(): Set<string> {
  const texts = LANGUAGES.flatMap((lang) => pagesOf(lang).map((page) => textOf(lang, page)));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\]\(\.\.\/pictures\/([^)]+)\)/g)].map(([, name = '']) => name)));
}

/** The pages in the order of the links of start.md, under its headings, with the words of its links; start itself first. */
function indexOf(lang: Language, pages: readonly string[]): Map<string, Map<string, string>> {
  const text = textOf(lang, 'start');
  const list = new Map<string, Map<string, string>>();
  for (const [i, part] of text.split(/^## /m).entries()) {
    const links = [...part.matchAll(/\[([^\]]+)\]\(([a-z0-9-]+)\.md\)/g)].map((
      [, words = '', page = ''],
    ): [string, string] => [page, words]);
    if (i === 0) list.set('', new Map([['start', titleOf(text)], ...links]));
    else list.set(/^[^<\n]+/.exec(part)?.[0].trim() ?? '', new Map(links));
  }
  const named = new Set([...list.values()].flatMap((part) => [...part.keys()]));
  const lost = pages.filter((p) => !named.has(p));
  if (lost.length > 0) throw new Error(`manual/${lang}/start.md names no page ${lost.join(', ')}`);
  return list;
}

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1]?.replace(/ *<a id=.*/, '') ?? '';

/** French typography: no line break between these signs and the word next to them. */
const kept = (text: string): string => text.replace(/ (?=[;:!?»])/g, '\u202f').replace(/« /g, '«\u202f');

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>;

/** Makes links to other pages lead to their HTML; a link out of the manual becomes its path, for readers with the source. */
function leadLinks(tokens: Tokens): void {
  for (const block of tokens) {
    let path = '';
    for (const token of block.children ?? []) {
      if (token.type === 'link_open') {
        const to = String(token.attrGet('href'));
        path = /^(?:\.\.\/){2,}(.+)/.exec(to)?.[1] ?? '';
        if (path !== '') Object.assign(token, { type: 'html_inline', content: '' });
        else token.attrSet('href', to.replace(/\.md(#|$)/, '.html$1'));
      } else if (token.type === 'link_close' && path !== '') {
        Object.assign(token, { type: 'html_inline', content: ` (<code>${path}</code>)` });
      }
    }
  }
}

const TOO_WIDE = 30; // letters of code in a cell, in a table of three columns

/** Marks tables that are too wide for a phone, and gives each cell the head of its column as data-head. */
function markTables(tokens: Tokens): void {
  let table: Tokens[number] | undefined;
  let heads: string[] = [];
  let column = 0;
  for (const [i, token] of tokens.entries()) {
    const inside = tokens[i + 1];
    if (token.type === 'table_open') [table, heads] = [token, []];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open') heads.push((inside?.children ?? []).map((t) => t.content).join(''));
    else if (token.type === 'td_open') {
      token.attrSet('data-head', heads[column++] ?? '');
      const wide = inside?.children?.some((t) => t.type === 'code_inline' && t.content.length > TOO_WIDE);
      if (heads.length > 3 || (heads.length > 2 && wide)) table?.attrSet('class', 'stacks');
    }
  }
}

/** The Markdown renderer of the pages of a language. */
function renderer(lang: Language): InstanceType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: true });
  const plain = md.renderer.renderToken.bind(md.renderer);
  md.renderer.rules['table_open'] = (t, i, o) => `<div class="wide">${plain(t, i, o)}`;
  md.renderer.rules['table_close'] = (t, i, o) => `${plain(t, i, o)}</div>`;
  md.core.ruler.push('links', (state) => leadLinks(state.tokens));
  md.core.ruler.push('tables', (state) => markTables(state.tokens));
  if (lang === 'fr') {
    md.core.ruler.push(
      'spaces',
      (state) =>
        state.tokens.flatMap((b) => b.children ?? []).forEach((t) => (t.content = t.type === 'text' ? kept(t.content) : t.content)),
    );
  }
  return md;
}

/** The link to the same page in the other language at the beginning of each file: the header of the HTML has it instead. */
const OTHER = /^\[[^\]]+\]\(\.\.\/\w\w\/[a-z0-9-]+\.md\)\n/m;

function htmlOf(lang: Language, page: string, text: string, list: ReturnType<typeof indexOf>): string {
  const said = SAID[lang];
  const other = lang === 'fr' ? 'en' : 'fr';
  const item = ([p, words]: [string, string]): string =>
    `<li><a href="${p}.html"${p === page ? ' aria-current="page"' : ''}>${words}</a></li>`;
  const parts = [...list].map(([head, part]) => `${head === '' ? '' : `<h2>${head}</h2>`}<ul>${[...part].map(item).join('')}</ul>`);
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
    <ol id="found" data-none="${said.none}" hidden></ol>
  </header>
  <nav aria-label="${said.pages}"><div>${parts.join('')}</div></nav>
  <main>
${renderer(lang).render(text.replace(OTHER, ''))}
  </main>
  <footer><a href="changes.html">${said.version}</a></footer>
</body>
</html>
`;
}

/** The @font-face rules of the app's fonts for help.css; a browser that has opened a page of the table has them already. */
function faces(bundle: Rolldown.OutputBundle): string {
  const files = Object.keys(bundle);
  return (['400-normal', '400-italic', '500-normal'] as const).map((style) => {
    const file = files.find((f) => f.includes(`eb-garamond-latin-${style}`));
    if (file === undefined) throw new Error(`no font ${style} was built`);
    const [weight, slant] = style.split('-');
    return `@font-face { font-family: 'EB Garamond'; font-weight: ${weight}; font-style: ${slant}; font-display: swap; src: url('/${file}') format('woff2'); }\n`;
  }).join('');
}
