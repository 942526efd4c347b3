import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Puts a .gz file beside each text file of the finished bundle. Only gzip:
 * browsers ask for nothing else on plain http.
 */
export function compress(): Plugin {
  let dir = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved(config) {
      dir = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(dir, { recursive: true }) as string[]) {
        const file = join(dir, name);
        if (!statSync(file).isFile() || !/\.(html|js|css|svg|txt)$/.test(name)) continue;
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
