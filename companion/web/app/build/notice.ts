import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
}

/**
 * Writes THIRD-PARTY.txt into the bundle: each package of the lock file that
 * is not for development only, with the licence text of its folder, unchanged.
 */
export function notice(): Plugin {
  return {
    name: 'third-party-notice',
    apply: 'build',
    generateBundle() {
      const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
      const parts = ["Majordome's pages are built from these packages.\n"];
      for (const [path, one] of Object.entries(lock.packages)) {
        if (path === '' || one.dev === true) continue;
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        parts.push(`${'='.repeat(72)}\n${name} ${one.version ?? ''} (${one.license ?? 'see below'})\n\n${licence(path)}\n`);
      }
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: parts.join('\n') });
    },
  };
}

/** The licence text in the folder of a package; '' if it has none: then only the licence's identifier is listed. */
function licence(path: string): string {
  let names: string[];
  try {
    names = readdirSync(path);
  } catch {
    return ''; // an optional package for another system
  }
  const file = names.find((n) => /^(licen[cs]e|copying)/i.test(n));
  return file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim() + '\n';
}
