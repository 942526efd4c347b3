import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compress } from './build/compress.ts';
import { fonts } from './build/fonts.ts';
import { VERSION, manual } from './build/manual.ts';
import { notice } from './build/notice.ts';
import { pages } from './build/pages.ts';
import { settings } from './build/settings.ts';
import { shared } from './build/shared.ts';
import { words } from './build/words.ts';

// The daemon that `npm run dev` talks to.
const daemon = process.env['MAJORDOME'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  define: { 'import.meta.env.VERSION': JSON.stringify(VERSION) },
  plugins: [fonts(), words(), settings(), svelte(), notice(), pages(), manual(), compress()],
  build: {
    outDir: '../dist',
    emptyOutDir: true, // each build copies public/.keep again
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: fonts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { chunkFileNames: 'assets/[hash].js', codeSplitting: { groups: [shared()] } },
    },
  },
  resolve: { conditions: ['browser'] },
  server: {
    fs: { allow: ['../../..'] }, // the words of engine/words
    proxy: {
      '/mqtt': { target: daemon, ws: true },
      '/join': daemon,
      '/ask': daemon,
      '/table.json': daemon,
      '/tables.json': daemon,
      '/bench/': daemon,
    },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/dev/learn.ts'],
    css: { include: [/tokens\.css/] },
    testTimeout: 600_000, // ends a test that hangs: no limit of speed
    hookTimeout: 600_000,
    isolate: false, // files share a page and the modules, whose loading would take longer than the tests; learn.ts resets the page
  },
});
