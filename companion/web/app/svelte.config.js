import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const src = fileURLToPath(new URL('src', import.meta.url));
const components = readdirSync(src, { recursive: true }).filter((file) => file.endsWith('.svelte')).sort();

// The class of a component's styles is its number: the usual hashes make up a kilobyte of the phone's page. No class that
// is written begins so.
const cssHash = ({ filename }) => `_${components.indexOf(relative(src, filename)).toString(36)}`;

export default { preprocess: vitePreprocess(), compilerOptions: { cssHash, runes: true } };
