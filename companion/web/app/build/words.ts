import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * The sentences of the rooms that are no phone, of manifests, of pages and texts that the daemon writes, and of what it tells the
 * host alone; a phone loads none of them.
 */
const ELSEWHERE = /^(?:(ui\.)?(host|display|bench|claim|icon|trust|welcome|minutes)|table\.(lost|staff|store))\./;

/** Cuts a catalogue in two: engine/words/fr.json?phone, and ?rooms, the rest. As modules they are called fr.phone and fr.rooms. */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    resolveId(source, importer) {
      const cut = /^(.*\/words\/\w+)\.json\?(phone|rooms)$/.exec(source);
      return cut && importer !== undefined ? `\0${join(dirname(importer), cut[1] ?? '')}.${cut[2]}` : undefined;
    },
    load(id) {
      const cut = /^\0(.*\/words\/\w+)\.(phone|rooms)$/.exec(id);
      if (!cut) return undefined;
      const file = `${cut[1]}.json`;
      this.addWatchFile(file);
      const all = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
      const book = Object.fromEntries(all.filter(([key]) => ELSEWHERE.test(key) === (cut[2] === 'rooms')));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(book))});`; // read faster than an object of JavaScript
    },
  };
}
