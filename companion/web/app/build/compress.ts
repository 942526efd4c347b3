import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Puts a .gz file in the place of each text file of the finished bundle: held twice, they would be twice in the package. Only gzip:
 * browsers ask for nothing else on plain http. The pages stay as they are: the daemon fills them in, and packs them then.
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
        if (!statSync(file).isFile() || name.startsWith('pages') || !/\.(js|css|svg|txt|html)$/.test(name)) continue;
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }));
        rmSync(file);
      }
    },
  };
}
