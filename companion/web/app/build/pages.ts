import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { installs, writeManifest } from './install.ts';

const ROOMS = ['phone', 'display', 'host', 'bench', 'tables', 'tour', 'venue'];
const LANGUAGES = ['fr', 'en'];

/**
 * Makes one page for each room and language from index.html, for example pages/phone.fr.html,
 * which links everything that the room needs, so that the browser asks for all of it at once and not for one
 * part after the other. The daemon chooses among them.
 */
export function pages(): Plugin {
  return {
    name: 'pages',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') this.error('no index.html was built');
      rmSync(join(dir, 'index.html'));
      mkdirSync(join(dir, 'pages'));
      for (const room of ROOMS) {
        for (const lang of LANGUAGES) {
          const words = room === 'phone' ? ['phone'] : ['phone', 'rooms'];
          const modules = [`/${room}/room.ts`, ...words.map((part) => `/words/${lang}.${part}`)];
          const parts = modules.flatMap((module) => [...filesOf(bundle, module)]);
          writeFileSync(join(dir, 'pages', `${room}.${lang}.html`), fill(String(index.source), lang, parts, installs(room, lang)));
          writeManifest(dir, room, lang);
        }
      }
    },
  };
}

/** A chunk and everything that it imports, and their styles. */
function filesOf(bundle: Rolldown.OutputBundle, module: string): Set<string> {
  const files = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    chunk.imports.forEach(add);
    chunk.viteMetadata?.importedCss.forEach((css) => files.add(css));
  };
  const first = Object.values(bundle).find((f) => f.type === 'chunk' && f.facadeModuleId?.endsWith(module) === true);
  if (!first) throw new Error(`nothing was built of ${module}`);
  add(first.fileName);
  return files;
}

/** The page in its language, with links to the parts that it does not name yet; more is added to its head. */
function fill(html: string, lang: string, parts: readonly string[], more: string): string {
  const links = parts.filter((file) => !html.includes(`"/${file}"`)).map((file) =>
    file.endsWith('.css')
      ? `  <link rel="stylesheet" crossorigin href="/${file}">\n`
      : `  <link rel="modulepreload" crossorigin href="/${file}">\n`
  );
  return html.replace(/<html lang="\w+">/, `<html lang="${lang}">`).replace('</head>', `${[...new Set(links)].join('')}${more}</head>`);
}
