// Finds what a page can show: taps every key of a sample, and every key of the sheets that come up,
// and lets axe-core look at each picture that is made of other parts than those before.
import axe from 'axe-core';

export interface Found {
  /** How many pictures were looked at, and how many of them were sheets. */
  looked: number;
  sheets: number;
  wrong: string[];
}

/** How far from the sample: a key of it, and a key of the sheet that came. */
const FAR = 2;
const keys = 'button:not(:disabled), summary, select, [role=tab], [role=radio]';

const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** A picture stands still: what is loaded later has come. */
export async function still(): Promise<void> {
  let moved = true;
  const watch = new MutationObserver(() => (moved = true));
  watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  for (let i = 0; i < 50 && moved; i++) {
    moved = false;
    await frame();
  }
  watch.disconnect();
  await document.fonts.ready;
}

const sheet = (): HTMLDialogElement | null => document.querySelector('dialog[open]');
const reach = (): HTMLElement[] =>
  [...(sheet() ?? document).querySelectorAll<HTMLElement>(keys)].filter((e) => e.checkVisibility({ visibilityProperty: true }));

/** The parts of a picture: the scopes of the styles, the roles and the states that styles tell apart. */
function parts(): string[] {
  const found = new Set<string>();
  for (const e of document.body.querySelectorAll('*')) {
    if (e.closest('svg') !== null && e.tagName !== 'svg') continue;
    found.add(`${sheet()?.contains(e) ? '+' : ''}${e.tagName} ${[...e.classList].sort().join('.')} ${e.role ?? ''} ${e.matches(':disabled') ? 'off' : ''}`);
  }
  return [...found];
}

const seen = new Set<string>();
/** Keys that were tapped: those that say the same do the same, and so do all cards. */
const tapped = new Set<string>();
const called = (key: HTMLElement): string => (key.ariaLabel ?? key.textContent ?? '').replace(/\s+/g, ' ').trim();
function untapped(key: HTMLElement): boolean {
  const is = `${sheet() ? '+' : ''}${key.className} ${key.dataset['tag'] === undefined ? called(key).replace(/\d+/g, '#') : ''}`;
  return !tapped.has(is) && !!tapped.add(is);
}
/** Whether the picture has a part that was not looked at yet; all of them are, from now on. */
function fresh(): boolean {
  const news = parts().filter((p) => !seen.has(p));
  news.forEach((p) => seen.add(p));
  return news.length > 0;
}

/** What is too wide for the page: nobody should have to push it about in both directions. */
function wide(): string[] {
  const by = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return by > 0 ? [`${by} pixels wider than the page`] : [];
}

/** axe-core takes what has a tabindex for out of reach in a fieldset that is disabled; the browser, which is asked, does not. */
function reached(rule: string, e: Element | undefined): boolean {
  if (rule !== 'scrollable-region-focusable' || !(e instanceof HTMLElement)) return false;
  const had = document.activeElement;
  e.focus();
  const has = document.activeElement === e;
  if (had instanceof HTMLElement) had.focus();
  return has;
}

async function look(what: string, found: Found): Promise<void> {
  found.looked++;
  if (sheet()) found.sheets++;
  const { violations } = await axe.run(document, { resultTypes: ['violations'], elementRef: true });
  for (const v of violations) {
    for (const n of v.nodes.filter((n) => !reached(v.id, n.element)).slice(0, 3)) {
      found.wrong.push(`${what}: ${v.id} (${v.help}): ${n.html.slice(0, 160)} | ${n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ''}`);
    }
  }
  found.wrong.push(...wide().map((w) => `${what}: ${w}`));
}

/** The page is not painted while it is only passed through, as most pictures are. axe-core takes what is transparent for hidden. */
async function unpainted<T>(pass: () => Promise<T>): Promise<T> {
  const { style } = document.documentElement;
  style.opacity = '0';
  try {
    return await pass();
  } finally {
    style.opacity = '';
  }
}

/** How a page is looked at. */
export interface Eyes {
  /** As if no part had been looked at. */
  anew: boolean;
  /** The sample itself even if all its parts were looked at. */
  whole: boolean;
}

/** Looks at a sample and at all that can be reached from it. */
export async function crawl(sample: string, show: () => Promise<void>, { anew, whole }: Eyes): Promise<Found> {
  if (anew) { for (const known of [seen, tapped]) known.clear(); }
  const found: Found = { looked: 0, sheets: 0, wrong: [] };
  const go = async (way: number[]): Promise<string | undefined> => {
    await show();
    await still();
    let said = sample;
    for (const n of way) {
      const key = reach()[n];
      if (!key) return undefined;
      said += ` > ${called(key).slice(0, 40)}`;
      key.click();
      await still();
    }
    return said;
  };
  const ways: number[][] = [[]];
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const said = await unpainted(() => go(way));
    if (said === undefined || !(fresh() || (whole && way.length === 0))) continue;
    await look(said, found);
    if (way.length === FAR) continue;
    for (const [n, key] of reach().entries()) if (untapped(key)) ways.push([...way, n]);
  }
  return found;
}
