// The page of an evening that a player saves: one file that needs no others.
import type { Front, Told, ToldChapter, ToldRow } from './storytext';

const STYLE =
  `body{margin:0 auto;max-width:44em;padding:1.5em;background:#0b090c;color:#f3e9d2;font:1.1em/1.4 "EB Garamond",Palatino,Georgia,serif}
img{display:block;width:100%;border-radius:12px}h1,h2{color:#f7e6b6;font-weight:500}
h2{margin:1.6em 0 .4em;border-top:1px solid #57401f;padding-top:.6em}
p{margin:.3em 0}b{color:#f7e6b6;font-weight:500}i{color:#c3b290}.table{font-style:italic;color:#f7e6b6}`;

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes texts that people have typed, so that they are never markup. */
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? '');

/** The superlatives, and what happened in the fatal minute. */
const formatFront = ({ honours, minute, what, company, guests }: Front): string =>
  `<h2>${escapeText(minute)}</h2>\n<p class="table">${escapeText(what)}</p>\n` +
  honours.map((h) => `<h2>${escapeText(h.title)}</h2>\n<p><b>${escapeText(h.names)}</b> <i>${escapeText(h.text)}</i></p>\n`).join('') +
  `<h2>${escapeText(company)}</h2>\n<p>${escapeText(guests.map((g) => `${g.name}${g.dead ? ' †' : ''}`).join(', '))}</p>`;

const formatRow = ({ seat, name, place, text }: ToldRow): string =>
  seat === 0
    ? `<p class="table">${escapeText(text)}</p>`
    : `<p><b>${escapeText(name)}</b> <i>${escapeText(place)}</i> ${escapeText(text)}</p>`;

const formatPart = (title: string,
  rows: readonly ToldRow[]): string => (rows.length === 0 ? '' : `<h2>${escapeText(title)}</h2>\n${rows.map(formatRow).join('\n')}\n`);

/** The page; picture is a data: URL of the picture. */
export function buildKeepsake(told: Told, picture: string, lang: string, titles: { paths: string; held: string }): string {
  const chapters = told.chapters.map((c: ToldChapter) => formatPart(c.title, c.rows)).join('');
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${
    escapeText(`${told.title} · ${told.game}`)
  }</title>
<style>${STYLE}</style></head><body>
<h1>${escapeText(told.front.name)}</h1>
<p><i>${escapeText([told.team, told.figures].filter((s) => s !== '').join('\u2002·\u2002'))}</i></p>
<p class="table">${escapeText(told.outcome)}</p>
<img src="${escapeText(picture)}" alt="${escapeText(told.outcome)}">
${formatFront(told.front)}
${formatPart(titles.paths, told.paths)}${chapters}${formatPart(titles.held, told.held)}</body></html>
`;
}
