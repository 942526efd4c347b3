// Finds what a reader loses on the page as it stands: text that is cut or out of reach, text that lies on other text,
// and keys that nothing brings under a finger. What can be scrolled to is not lost.

import { tick } from 'svelte';
import { held } from '../lib/hold.svelte';

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A text of the page: its lines, and the part of the page in which they can be seen without scrolling. */
interface Text {
  of: Element;
  lines: Box[];
  seen: Box;
  sticks: Element | null; // what keeps its place while the rest is scrolled
}

const KEYS = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), summary, [role=tab]';
/** Drawn to scale, or with a scroll bar of its own. */
const NOT_READ = 'svg, script, style, noscript, select, option, textarea, [inert]';
const SLACK = 2; // pixels

const quote = (e: Element): string => `"${(e.ariaLabel ?? e.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 60)}"`;
/** Reports whether e is drawn: not hidden, and not for ears only. */
function isDrawn(e: Element): boolean {
  if (!e.checkVisibility({ visibilityProperty: true })) return false;
  for (let at: Element | null = e; at; at = at.parentElement) if (getComputedStyle(at).clipPath === 'inset(50%)') return false;
  return true;
}
const intersect = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});
const narrowest = (b: Box): number => Math.min(b.right - b.left, b.bottom - b.top);

/** The inside of e, where what it contains is drawn. */
function measureInside(e: Element): Box {
  const b = e.getBoundingClientRect();
  const left = b.left + e.clientLeft;
  const top = b.top + e.clientTop;
  return { left, top, right: left + e.clientWidth, bottom: top + e.clientHeight };
}

/** The elements that can clip e, from the inside to the outside: not those that a positioned element leaves. */
function listClippers(e: Element): { all: Element[]; fixed: boolean } {
  const all: Element[] = [];
  let position = getComputedStyle(e).position;
  for (let at = e.parentElement; at && at !== document.documentElement; at = at.parentElement) {
    if (position === 'fixed') return { all, fixed: true };
    const style = getComputedStyle(at);
    const holds = style.position !== 'static' || style.transform !== 'none' || style.containerType !== 'normal';
    if (position === 'absolute' && !holds) continue;
    all.push(at);
    position = at.matches('dialog:modal') ? 'fixed' : style.position;
  }
  return { all, fixed: false };
}

/** What is cut of box, the letters of e, and where the rest can be seen. */
function clip(e: Element, box: Box): { cut: string; seen: Box } {
  const { all, fixed } = listClippers(e);
  let rest = box;
  const chain = getComputedStyle(e).display === 'inline' ? all : [e, ...all];
  for (const at of chain) {
    const { overflowX, overflowY } = getComputedStyle(at);
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const inside = measureInside(at);
    const across = [overflowX, 'left', 'right', at.scrollLeft] as const;
    const down = [overflowY, 'top', 'bottom', at.scrollTop] as const;
    for (const [overflow, from, to, scrolled] of [across, down]) {
      if (overflow === 'visible') continue;
      const scrolls = overflow === 'auto' || overflow === 'scroll';
      if (rest[from] < inside[from] - (scrolls ? scrolled : 0) - SLACK || (!scrolls && rest[to] > inside[to] + SLACK)) {
        return { cut: `${from === 'left' ? 'at its side' : 'above or below'} by ${nameOf(at)}`, seen: rest };
      }
    }
    rest = intersect(rest, inside);
    if (narrowest(rest) <= 0) rest = inside; // it is scrolled away: what must be seen is the part that scrolls
  }
  const page = document.documentElement;
  const free = fixed ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : {
    left: -scrollX,
    top: -scrollY,
    right: page.scrollWidth - scrollX,
    bottom: page.scrollHeight - scrollY,
  };
  const beyond = rest.left < free.left - SLACK || rest.top < free.top - SLACK || rest.right > free.right + SLACK ||
    rest.bottom > free.bottom + SLACK;
  return { cut: beyond ? 'by the edge of the page' : '', seen: rest };
}

const nameOf = (e: Element): string =>
  `${e.tagName.toLowerCase()}${[...e.classList].filter((c) => !c.startsWith('svelte-')).map((c) => `.${c}`).join('')}`;

/** The words of a text that are on two lines. */
function listBrokenWords(text: Node): string[] {
  const word = document.createRange();
  return [...(text.textContent ?? '').matchAll(/\p{L}{2,}/gu)].filter(({ 0: { length }, index }) => {
    word.setStart(text, index);
    word.setEnd(text, index + length);
    const tops = [...word.getClientRects()].map((r) => r.top);
    return Math.max(...tops) - Math.min(...tops) > SLACK;
  }).map(([found]) => found);
}

/** The texts of the page that can be seen, and what is wrong with where they are. */
function listTexts(root: Element, wrong: (what: string) => void): Text[] {
  const found: Text[] = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const letters = document.createRange();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const of = node.parentElement;
    if (!of || !(node.textContent ?? '').trim() || of.closest(NOT_READ) || !isDrawn(of)) continue;
    letters.selectNodeContents(node);
    // The box of a line has room above and below its letters, which may be cut or lie on other lines.
    const lines = [...letters.getClientRects()].filter((r) => r.width > 1 && r.height > 1)
      .map((r): Box => ({ left: r.left, right: r.right, top: r.top + r.height / 5, bottom: r.bottom - r.height / 5 }));
    if (lines.length === 0) continue;
    const whole = {
      left: Math.min(...lines.map((l) => l.left)),
      top: Math.min(...lines.map((l) => l.top)),
      right: Math.max(...lines.map((l) => l.right)),
      bottom: Math.max(...lines.map((l) => l.bottom)),
    };
    const { cut, seen } = clip(of, whole);
    if (cut !== '') wrong(`${quote(of)} is cut ${cut}`);
    else if (lines.length > 1) { for (const word of listBrokenWords(node)) wrong(`${word} is broken in ${quote(of)}`); }
    let sticks: Element | null = of;
    while (sticks && !['fixed', 'sticky'].includes(getComputedStyle(sticks).position)) sticks = sticks.parentElement;
    found.push({ of, lines, seen, sticks });
  }
  return found;
}

/** The pairs of texts that lie on one another. */
function listOverlaps(all: Text[]): string[] {
  const drawn = all.flatMap((text) => text.lines.map((line) => ({ text, box: intersect(line, text.seen) })));
  const lines = drawn.filter((l) => narrowest(l.box) > SLACK).sort((a, b) => a.box.top - b.box.top);
  const found = new Set<string>();
  lines.forEach((a, i) => {
    for (const b of lines.slice(i + 1)) {
      if (b.box.top > a.box.bottom) break;
      if (a.text === b.text || a.text.sticks !== b.text.sticks || narrowest(intersect(a.box, b.box)) <= SLACK) continue;
      found.add(`${quote(a.text.of)} and ${quote(b.text.of)} lie on one another`);
    }
  });
  return [...found];
}

/** Reports whether e is in front of the whole window: then it hides the keys on purpose. */
function isCurtain(e: Element | null, key: Element): boolean {
  for (let at = e; at && !at.contains(key); at = at.parentElement) {
    const b = at.getBoundingClientRect();
    if (b.left <= 0 && b.top <= 0 && b.right >= innerWidth && b.bottom >= innerHeight) return true;
  }
  return false;
}

/** The keys that are covered, or out of the page, wherever the page is scrolled to. */
function listUnreachable(root: Element): string[] {
  const found: string[] = [];
  for (const key of root.querySelectorAll<HTMLElement>(KEYS)) {
    if (key.closest('[inert]') || !isDrawn(key) || getComputedStyle(key).pointerEvents === 'none') continue;
    key.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const b = key.getBoundingClientRect();
    if (b.width < 2 || b.height < 2) continue; // its label stands for it
    const front = (x: number, y: number) => document.elementFromPoint(b.left + b.width * x, b.top + b.height * y);
    const open = [.5, .1, .9].some((x) =>
      [.5, .1, .9].some((y) => {
        const at = front(x, y);
        return at && (key.contains(at) || at.closest('label')?.contains(key));
      })
    );
    const over = front(.5, .5);
    if (!open && !isCurtain(over, key)) found.push(`${quote(key)} cannot be tapped: in front of it is ${over ? nameOf(over) : 'nothing'}`);
  }
  return found;
}

/** What is lost on the page as it stands: in the dialog, while one is open. */
function listLosses(): string[] {
  const root = document.querySelector('dialog[open]') ?? document.body;
  const wrong: string[] = [];
  const all = listTexts(root, (what) => wrong.push(what));
  if (held.any) return wrong; // what is held lies over the rest, which is dark
  return [...wrong, ...listOverlaps(all), ...listUnreachable(root)];
}

/** What is lost on the page, with all its folds open, while each of its secrets is held, and on the pages of its tabs. */
export async function listAllLosses(): Promise<string[]> {
  const found = new Set<string>();
  const look = async (where: string): Promise<void> => {
    await new Promise((done) => setTimeout(done));
    await tick();
    for (const what of listLosses()) found.add(where + what);
  };
  const tabs = [...document.querySelectorAll('nav:has([aria-current]) button').keys()];
  const ways = [tabs.shift(), ...tabs.reverse()]; // the note sheet, which hides the tabs, comes last
  for (const tab of ways) {
    const key = tab === undefined ? undefined : document.querySelectorAll<HTMLElement>('nav:has([aria-current]) button')[tab];
    const where = key ? `${quote(key)}: ` : '';
    key?.click();
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    await look(where);
    const secrets = new Map([...document.querySelectorAll('[data-hold]')].map((e) => [e.className, e])); // one of a kind
    for (const secret of secrets.values()) {
      secret.dispatchEvent(new PointerEvent('pointerdown', { isPrimary: true, button: 0, bubbles: true }));
      await look(`${where}held, `);
      secret.dispatchEvent(new PointerEvent('pointerup', { isPrimary: true, button: 0, bubbles: true }));
    }
  }
  return [...found];
}
