import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Makes the module virtual:settings: the keys of the configuration, as the program itself knows them. */
export function settings(): Plugin {
  return {
    name: 'settings',
    resolveId: (id) => (id === 'virtual:settings' ? `\0${id}` : undefined),
    load: (id) =>
      id === '\0virtual:settings'
        ? `export default ${execFileSync('go', ['run', './cmd/majordome/config/pagekeys'], { cwd: root, encoding: 'utf8' })}`
        : undefined,
  };
}
