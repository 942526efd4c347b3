import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rooms that can be added to a home screen, with the address that the icon opens: never one with a key or an invitation. */
const STARTS: Readonly<Record<string, string>> = { phone: '/', host: '/host' };

const CATALOGUES = new URL('../../../../engine/words/', import.meta.url);

const file = (room: string, lang: string): string => `${room}.${lang}.webmanifest`;

/**
 * The lines about the icon in the head of a room's page. An iPhone gives a web app a storage of its own, without the
 * seat that Safari has; so the page does not ask to be one, and the icon opens Safari where iOS still allows that. On Android
 * the icon shares its storage with the browser, and minimal-ui leaves a key to reload the page.
 */
export const installs = (room: string, lang: string): string =>
  room in STARTS
    ? `  <link rel="manifest" href="/${
      file(room, lang)
    }">\n  <link rel="apple-touch-icon" href="/icon-180.png">\n  <meta name="apple-mobile-web-app-title" content="Majordome">\n`
    : '';

/**
 * Writes the manifest of a room in a language (W3C Web Application Manifest). The PNGs are icon.svg as Chromium draws it, in
 * 128 colours; in those without rounded corners it is drawn at 80 %.
 */
export function writeManifest(dir: string, room: string, lang: string): void {
  const start = STARTS[room];
  if (start === undefined) return;
  const words = JSON.parse(readFileSync(new URL(`${lang}.json`, CATALOGUES), 'utf8')) as Record<string, string>;
  const manifest = {
    id: start,
    name: words[`ui.icon.${room}`],
    short_name: words[`ui.icon.${room}`],
    description: words['ui.icon.about'],
    lang,
    dir: 'ltr',
    start_url: start,
    scope: '/',
    display: 'minimal-ui',
    background_color: '#08070a',
    theme_color: '#08070a',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-mask.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  writeFileSync(join(dir, file(room, lang)), JSON.stringify(manifest));
}
