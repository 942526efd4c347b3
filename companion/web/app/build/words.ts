import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * The sentences of the rooms other than the phone, of manifests, of pages and texts that the daemon writes, and of messages
 * for programs or only for the host; a phone loads none of them.
 */
const ELSEWHERE =
  /^(?:(ui\.)?(host|display|bench|tour|claim|icon|trust|welcome|minutes)|table\.(home|lost|newer|order|restore|staff|store|team))\./;

/**
 * Joins the catalogues of engine/words with the same name, that of all games and those of each family's folder:
 * engine/words/fr.json?all. ?phone gives the part for phones, ?rooms the rest. The modules are called fr.all, fr.phone and fr.rooms.
 */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    resolveId(source, importer) {
      const part = /^(.*\/words\/[\w.]+)\.json\?(all|phone|rooms)$/.exec(source);
      return part && importer !== undefined ? `\0${join(dirname(importer), part[1] ?? '')}.${part[2]}` : undefined;
    },
    load(id) {
      const part = /^\0(.*\/words)\/([\w.]+)\.(all|phone|rooms)$/.exec(id);
      if (!part) return undefined;
      const [, folder = '', name] = part;
      const files = ['.', ...readdirSync(folder)].map((family) => join(folder, family, `${name}.json`)).filter((file) => existsSync(file));
      files.forEach((file) => this.addWatchFile(file));
      const all = files.flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object));
      const book = Object.fromEntries(all.filter(([key]) => part[3] === 'all' || ELSEWHERE.test(key) === (part[3] === 'rooms')));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(book))});`; // parsed faster than an object literal
    },
  };
}
