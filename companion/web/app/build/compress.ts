import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Returns the smallest gzip of a text: memLevel decides where zlib's blocks end, and the largest level is seldom the best for text. */
function pack(text: Buffer): Buffer {
  const all = [5, 6, 7, 8, 9].map((memLevel) => gzipSync(text, { level: constants.Z_BEST_COMPRESSION, memLevel }));
  return all.reduce((least, one) => (one.length < least.length ? one : least));
}

/**
 * Replaces each text file of the finished bundle with a .gz file, so that the package contains it only once. Only gzip:
 * browsers accept nothing else on plain http. The pages stay as they are: the daemon fills them in and compresses them then.
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
        writeFileSync(`${file}.gz`, pack(readFileSync(file)));
        rmSync(file);
      }
    },
  };
}
