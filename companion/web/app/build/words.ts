import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * The sentences of the rooms other than the phone, of manifests, of pages and texts that the daemon writes, and of messages
 * for programs or only for the host; a phone loads none of them.
 */
const ELSEWHERE =
  /^(?:(ui\.)?(host|display|bench|tour|claim|icon|trust|welcome|minutes)|table\.(home|join|lost|newer|order|restore|staff|store|team))\./;

/** What the daemon says to the host only, when it refuses something. */
const TO_HOST = /^table\.(ask\.gone|guest\.nobody|host\.(first|full|nobody|none)|invite\.|phone\.(full|none))/;

/** What no page says at once: the form by which a phone asks for a seat, refusals, and what the host does meanwhile. */
const LATER =
  /^(phone\.(ask|guest)|\w+\.no|table\.(box|card|clock|count|deck|enrol|gate|guest|hint|note|office|paste|phone|room|secrets|set|undo))\./;

const isElsewhere = (key: string): boolean => ELSEWHERE.test(key) || TO_HOST.test(key);
const isForPhones = (key: string): boolean => !isElsewhere(key) && !LATER.test(key);
const inPart: Record<string, (key: string) => boolean> = {
  all: () => true,
  phone: isForPhones,
  later: (key) => !isElsewhere(key) && LATER.test(key),
  rooms: isElsewhere,
};

/**
 * Joins the catalogues of engine/words with the same name, that of all games and those of each family's folder:
 * engine/words/fr.json?all. ?phone gives what a phone needs to begin, ?later what it loads
 * then, ?rooms the rest. The modules are called fr.all, fr.phone, fr.later and fr.rooms.
 */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    resolveId(source, importer) {
      const part = /^(.*\/words\/[\w.]+)\.json\?(all|phone|later|rooms)$/.exec(source);
      return part && importer !== undefined ? `\0${join(dirname(importer), part[1] ?? '')}.${part[2]}` : undefined;
    },
    load(id) {
      const part = /^\0(.*\/words)\/([\w.]+)\.(all|phone|later|rooms)$/.exec(id);
      if (!part) return undefined;
      const [, folder = '', name] = part;
      const files = ['.', ...readdirSync(folder)].map((family) => join(folder, family, `${name}.json`)).filter((file) => existsSync(file));
      files.forEach((file) => this.addWatchFile(file));
      const all = files.flatMap((file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object));
      const book = Object.fromEntries(all.filter(([key]) => inPart[part[3] ?? 'all']?.(key)));
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(book))});`; // parsed faster than an object literal
    },
  };
}
