// Checks all states of a page: taps every key of a sample, and every key of the dialogs that open,
// and lets axe-core check each picture that has a part which no earlier picture had.
import axe from 'axe-core';

export interface Found {
  /** The number of checked pictures, and how many of them were dialogs. */
  looked: number;
  sheets: number;
  wrong: string[];
}

/** The most taps from the sample: a key of it, and a key of the dialog that it opens. */
const FAR = 2;
const keys = 'button:not(:disabled), summary, select, [role=tab], [role=radio]';

const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** Resolves when the page no longer changes: late parts and fonts are loaded (at most 50 frames). */
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

/** The parts of a picture: each different combination of element, classes, role and disabled state. */
function parts(): string[] {
  const found = new Set<string>();
  for (const e of document.body.querySelectorAll('*')) {
    if (e.closest('svg') !== null && e.tagName !== 'svg') continue;
    found.add(
      `${sheet()?.contains(e) ? '+' : ''}${e.tagName} ${[...e.classList].sort().join('.')} ${e.role ?? ''} ${
        e.matches(':disabled') ? 'off' : ''
      }`,
    );
  }
  return [...found];
}

const seen = new Set<string>();
/** The keys that were tapped. Keys with the same label count as one, and so do all cards. */
const tapped = new Set<string>();
const called = (key: HTMLElement): string => (key.ariaLabel ?? key.textContent ?? '').replace(/\s+/g, ' ').trim();
function untapped(key: HTMLElement): boolean {
  const is = `${sheet() ? '+' : ''}${key.className} ${key.dataset['tag'] === undefined ? called(key).replace(/\d+/g, '#') : ''}`;
  return !tapped.has(is) && !!tapped.add(is);
}
/** Reports whether the picture has a part that was not checked yet, and counts all its parts as checked. */
function fresh(): boolean {
  const news = parts().filter((p) => !seen.has(p));
  news.forEach((p) => seen.add(p));
  return news.length > 0;
}

/** The message if the page is wider than its window: no page may need scrolling in both directions. */
function wide(): string[] {
  const by = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  return by > 0 ? [`${by} pixels wider than the page`] : [];
}

/** Reports whether e can be focused after all: axe-core is wrong about elements with a tabindex in a disabled fieldset. */
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
      found.wrong.push(
        `${what}: ${v.id} (${v.help}): ${n.html.slice(0, 160)} | ${n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ''}`,
      );
    }
  }
  found.wrong.push(...wide().map((w) => `${what}: ${w}`));
}

/** Runs pass while the page is transparent, which saves the painting of intermediate pictures. axe-core would take it for hidden. */
async function unpainted<T>(pass: () => Promise<T>): Promise<T> {
  const { style } = document.documentElement;
  style.opacity = '0';
  try {
    return await pass();
  } finally {
    style.opacity = '';
  }
}

/** The options of a check. */
export interface Eyes {
  /** Forget the parts and keys of earlier samples. */
  anew: boolean;
  /** Check the sample itself even if all its parts were checked before. */
  whole: boolean;
}

/** Checks a sample and all pictures that can be reached from it. */
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
