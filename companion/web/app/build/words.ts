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

/** The sentences of the form by which a phone asks for a seat: it loads them with that form. */
const GUESTS = /^phone\.(ask|guest)\./;

const isForPhones = (key: string): boolean => ![ELSEWHERE, TO_HOST, GUESTS].some((kind) => kind.test(key));
const inPart: Record<string, (key: string) => boolean> = {
  all: () => true,
  phone: isForPhones,
  guests: (key) => GUESTS.test(key),
  rooms: (key) => !isForPhones(key),
};

/**
 * Joins the catalogues of engine/words with the same name, that of all games and those of each family's folder:
 * engine/words/fr.json?all. ?phone gives the part for phones, ?guests that of the form for a
 * seat, ?rooms all but the first. The modules are called fr.all, fr.phone, fr.guests and fr.rooms.
 */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    resolveId(source, importer) {
      const part = /^(.*\/words\/[\w.]+)\.json\?(all|phone|guests|rooms)$/.exec(source);
      return part && importer !== undefined ? `\0${join(dirname(importer), part[1] ?? '')}.${part[2]}` : undefined;
    },
    load(id) {
      const part = /^\0(.*\/words)\/([\w.]+)\.(all|phone|guests|rooms)$/.exec(id);
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
