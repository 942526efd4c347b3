import { expect, it } from 'vitest';

// Every module of the pages with its imports, type imports too.
const sources = import.meta.glob<string>('./**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true });
const resolve = (from: string, to: string): string => {
  const path = new URL(to, `file:///${from.slice(2)}`).pathname;
  return [`.${path}`, `.${path}.ts`].find((p) => p in sources) ?? '';
};
/** The files that a registry of the games finds by their name: one of each game's folder. */
const globbed = (text: string): string[] =>
  [...text.matchAll(/import\.meta\.glob<[^(]*\('\.\/\*\/(\w+\.ts)'/g)].flatMap(([, name]) =>
    Object.keys(sources).filter((f) => /^\.\/games\/\w+\//.test(f) && f.endsWith(`/${name}`))
  );
const imports = new Map(
  Object.entries(sources).map(([file, text]) => [
    file,
    [...[...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map((m) => resolve(file, m[1]!)).filter((p) => p !== ''), ...globbed(text)],
  ]),
);

/** The first import cycle that is reached from file. */
function circle(file: string, above: readonly string[], done: Set<string>): readonly string[] {
  if (above.includes(file)) return [...above.slice(above.indexOf(file)), file];
  if (done.has(file)) return [];
  for (const next of imports.get(file) ?? []) {
    const found = circle(next, [...above, file], done);
    if (found.length > 0) return found;
  }
  done.add(file);
  return [];
}

it('no module imports itself by way of others', () => {
  const done = new Set<string>();
  expect([...imports.keys()].map((file) => circle(file, [], done)).filter((c) => c.length > 0)).toEqual([]);
});

// Shared folders import no page; the phone and the display import no other page, which keeps them small.
it.each([
  ['lib', ['lib', 'gen']],
  ['deco', ['deco', 'lib']],
  ['story', ['story', 'games', 'deco', 'lib', 'gen']],
  ['phone', ['phone', 'story', 'games', 'deco', 'lib']],
  ['display', ['display', 'story', 'games', 'deco', 'lib', 'gen']],
])('%s imports from %j only', (folder, allowed) => {
  const used = [...imports].filter(([f]) => f.startsWith(`./${folder}/`) && !f.endsWith('.test.ts')).flatMap(([, to]) =>
    to.map((p) => p.split('/')[1]!)
  );
  expect([...new Set(used)].filter((f) => !allowed.includes(f))).toEqual([]);
});

// The modules that a phone loads.
const phone = (() => {
  const loads = (file: string): string[] => [
    ...globbed(sources[file] ?? ''),
    ...[...(sources[file] ?? '').matchAll(/^\s*(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)'/gm)].map((m) => resolve(file, m[1]!))
      .filter((p) => p !== ''),
  ];
  const seen = new Set(['./phone/room.ts']);
  for (const file of seen) loads(file).forEach((f) => seen.add(f));
  return seen;
})();

it('a phone loads nothing of the other pages', () => {
  expect(phone).toContain('./games/cluedo/phone.ts');
  expect([...phone].filter((f) => /^\.\/(display|host|bench|tour)\//.test(f))).toEqual([]);
});

it('a phone says nothing that is said in other rooms only (build/words.ts)', () => {
  const words = (file: string) =>
    [...(sources[file] ?? '').matchAll(/['`]((?:ui\.)?(?:host|display|bench|tour|claim)\.[a-z.]+)/g)].map(([, key]) => key);
  expect([...phone].flatMap((file) => words(file).map((key) => `${file}: ${key}`))).toEqual([]);
});

// A page asks the registry (games/<page>.ts) for the parts of a view's game, never which game it is. The code that fills
// the lists of the wire knows their types.
it('only the folders of the games know a game', () => {
  const KNOWING = [
    /huis-?clos|cluedo-|'(hc|cl)\.[a-z]|games\/(huisclos|cluedo|plain)\//,
    /\.case\b|['"`]case['"`]|[{,;]\s*case\??\s*:/, // not the case of a switch
    /\bgame\s*[!=]==?\s*['"`]\w|\w['"`]\s*[!=]==?\s*[\w.?]*\bgame\b|switch \([^)]*\bgame\)/,
  ];
  const elsewhere = Object.entries(sources).filter(([file]) =>
    !/^\.\/(games\/\w+|dev|gen)\/|games\/(parts|which|window)\.ts$|\.test\.ts$|lib\/wire\.ts$/.test(file)
  );
  expect(elsewhere.filter(([, text]) => KNOWING.some((form) => form.test(text))).map(([file]) => file)).toEqual([]);
});

// Pages learn from the happenings (lib/happened.ts) what has happened, not from the keys of sentences.
it('no page reads the key of a sentence to know it', () => {
  const readers = Object.entries(sources).filter(([file, text]) =>
    !/^\.\/dev\/|\.test\.ts$/.test(file) && /\b(hc|cl)\.(log|over)\b/.test(text)
  );
  expect(readers.map(([file]) => file)).toEqual([]);
});
