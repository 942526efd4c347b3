// Svelte needs no options; svelte-check and editors look for this file.
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default { preprocess: vitePreprocess() };
