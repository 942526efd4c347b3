import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import vectors from '../../../../seal/testdata/vectors.json';
import { names } from '../dev/fixtures';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64url, toBase64url } from '../lib/bytes';
import { findArrival, scanned, storePass, withoutSeat } from '../lib/join';
import { language } from '../lib/language.svelte';
import { tabItem } from '../lib/storage';
import { askSeat, figuresOf, lockWish, type SeatAsk, type Wish } from '../lib/wall';
import Ask from './Ask.svelte';

vi.mock('../lib/public.svelte', () => ({
  PublicLink: class {
    update = { table: { readers: { show: 'ok' } } };
    start = () => () => undefined;
  },
}));

const { code, private: secret, public: open, box, key: table, figures } = vectors.claim;
const site = { base: 'majordome/1/maison/t7', table: 't7', demo: true };
const free = names.filter((n) => n.kind === 'character').map((n) => n.id);
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Your name' });
const key = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
let heard: string[][] = [];
let shown: string[] = [];
let given: string[] = [];
/** Opens the page; say answers each request. */
function ask(say: (name: string) => Partial<SeatAsk>, wall = 'WALL') {
  return render(Ask, {
    wall,
    onyours: (invitation: string) => void given.push(invitation),
    hear: async (by: Uint8Array, wall: string, { name, character, plays, shown: behind }: Wish) => {
      shown.push(behind);
      heard.push([toBase64url(by), wall, name, character, ...(plays ? ['plays'] : [])]);
      return { state: 'look', free, held: [], code: '', full: false, seconds: 0, box: '', key: '', ...say(name) } as SeatAsk;
    },
  });
}
const settle = () => vi.advanceTimersByTimeAsync(20);
const told = () => screen.getByRole('status').textContent?.trim();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.clear();
  sessionStorage.clear();
  [heard, given, shown] = [[], [], []];
  language.learnNames(names);
  language.lang = 'en';
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a phone that has scanned the code on the display', () => {
  it('is told what to do where its code is old, or no pawn can give a seat', async () => {
    for (const [wall, want] of [['WALL', 'another evening'], ['pawn', 'The host can']] as const) {
      ask(() => ({ state: 'old' }), wall);
      await settle();
      expect(screen.getByRole('alert').textContent).toContain(want);
      cleanup();
    }
  });
  it('asks for a name and a character, waits, and opens what was sealed for it alone', async () => {
    tabItem('asks').set(JSON.stringify({ secret, name: '', character: '' }));
    let seated = false;
    ask((name) => (seated ? { state: 'yours', box } : name ? { state: 'wait', code: '4821' } : {}));
    await settle();
    await fireEvent.input(field(), { target: { value: 'Éléonore' } });
    await fireEvent.click(screen.getByRole('radio', { name: 'Sir Puddingham' }));
    await fireEvent.click(key('Ask for this seat'));
    await settle();
    expect(heard[0]).toEqual([open, 'WALL', '', '']);
    expect(heard.at(-1)).toEqual([open, 'WALL', 'Éléonore', 'character-puddingham']);
    expect(told()).toContain('4821');
    seated = true;
    await vi.advanceTimersByTimeAsync(1600);
    expect(given).toEqual([code]);
    expect(tabItem('asks').get()).toBeUndefined();
    const n = heard.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(heard.length).toBe(n);
  });
  it('shows the figures of its card, and compares one key of the table for a wish, also after a reload', async () => {
    tabItem('asks').set(JSON.stringify({ secret, name: 'Ada', character: free[0], n: 1 }));
    let key = table;
    const page = ask(() => ({ state: 'card', key }));
    await settle();
    expect(shown[0]).toBe('');
    expect(shown.at(-1)).not.toBe('');
    expect(told()).toContain(figures);
    key = open; // of a man in the middle
    await vi.advanceTimersByTimeAsync(1600);
    expect(told()).toContain(figures);
    page.unmount();
    ask(() => ({ state: 'card', key }));
    await settle();
    expect(told()).toContain(figures);
  });
  it('takes no invitation by another key than the one it has compared', async () => {
    tabItem('asks').set(JSON.stringify({ secret, name: 'Ada', character: free[0], n: 1, key: open }));
    let state: SeatAsk['state'] = 'card';
    ask(() => ({ state, key: table, box }));
    await settle();
    state = 'yours';
    await vi.advanceTimersByTimeAsync(1600);
    expect(given).toEqual([]);
  });
  it('asks in a running game for the seat of a character, by its pawn, or for the next game with a name alone', async () => {
    ask((name) => ({ state: 'late', free: [], held: free.slice(0, 2), ...(name && { code: '17' }) }));
    await settle();
    expect(told()).toContain('Tap your character, too');
    await fireEvent.input(field(), { target: { value: 'Ada' } });
    await fireEvent.click(key('Ask for this seat'));
    await settle();
    expect(heard.at(-1)!.slice(2)).toEqual(['Ada', '']);
    expect(told()).toMatch(/^Ada, the game has begun/);
    await fireEvent.click(screen.getAllByRole('radio').find((b) => !b.hasAttribute('disabled'))!);
    await fireEvent.click(key('Change what I asked'));
    await settle();
    expect(heard.at(-1)!.slice(2)).toEqual(['Ada', expect.stringMatching(/^character-/), 'plays']);
    expect(told()).toContain('Lay its pawn');
  });
  it('asks before the game for the seat of a player, by a card, and says that another has it unless that is meant', async () => {
    const [theirs, ...rest] = free;
    ask((name) => ({ state: name ? 'wait' : 'look', free: rest, held: [theirs!] }));
    await settle();
    await fireEvent.input(field(), { target: { value: 'Ada' } });
    const [taken] = screen.getAllByRole('radio').filter((b) => b.textContent?.includes('at the table'));
    await fireEvent.click(taken!);
    expect(told()).toContain('You, with another phone?');
    await fireEvent.click(key('Ask for this seat'));
    await settle();
    expect(heard.at(-1)!.slice(2)).toEqual(['Ada', theirs, 'plays']);
    expect(told()).toContain('this phone takes the seat');
    cleanup();
    tabItem('asks').set(JSON.stringify({ secret, name: 'Eve', character: theirs, n: 1 })); // another was faster
    ask(() => ({ state: 'wait', free: rest, held: [theirs!] }));
    await settle();
    expect(told()).toContain('Another player has just taken this character');
    await fireEvent.click(screen.getByRole('radio', { checked: true }));
    expect(told()).toContain('You, with another phone?');
  });
  it('goes on with the same request after a reload, and says what speaks against it', async () => {
    tabItem('asks').set(JSON.stringify({ secret, name: 'Ada', character: free[0] }));
    ask(() => ({ state: 'wait', code: '4821', why: { k: 'table.guest.name' } }));
    await settle();
    expect(heard[0]).toEqual([open, 'WALL', 'Ada', free[0]]);
    expect(told()).toContain('already has that name');
  });
  it('waits for the next lobby, and asks there by itself', async () => {
    tabItem('asks').set(JSON.stringify({ secret, name: 'Ada', character: free[0] }));
    let state: SeatAsk['state'] = 'late';
    ask(() => ({ state, code: '17', ...(state === 'late' && { free: [] }) }));
    await settle();
    expect(told()).toMatch(/^Ada, the game has begun/);
    expect(screen.getByRole('link', { name: 'Watch the game' }).getAttribute('href')).toBe('/display');
    state = 'wait';
    await vi.advanceTimersByTimeAsync(1600);
    expect(told()).toContain('no. 17'.replace(' ', '\u00a0'));
  });
  it('stops when it is turned away, and asks again with another key', async () => {
    tabItem('asks').set(JSON.stringify({ secret, name: 'Ada', character: free[0] }));
    ask((name) => (name ? { state: 'denied' } : {}));
    await settle();
    const n = heard.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(heard.length).toBe(n);
    await fireEvent.click(key('Try again'));
    await settle();
    expect(heard.at(-1)!.slice(1)).toEqual(['WALL', '', '']);
    expect(heard.at(-1)![0]).not.toBe(open);
  });
});

it('has the figures that the daemon has', () => {
  const phone = { public: fromBase64url(open), secret: fromBase64url(secret) };
  expect(figuresOf(phone, 1, table)).toBe(figures);
  expect(figuresOf(phone, 2, table)).not.toBe(figures);
});

it('sends its key and never its secret', async () => {
  const post = vi.fn<typeof fetch>(async () => new Response('{"state":"wait","code":"4821"}'));
  const wish = lockWish(new Uint8Array(32), 1, { name: 'Ada', character: 'red', plays: false });
  expect(await askSeat(new Uint8Array(32), 'WALL', wish, post)).toEqual(
    { state: 'wait', code: '4821', free: [], held: [], full: false, seconds: 0, box: '', key: '' },
  );
  const key = toBase64url(new Uint8Array(32));
  expect(JSON.parse(String(post.mock.calls[0]?.[1]?.body))).toEqual({ key, wall: 'WALL', ...wish });
  await expect(askSeat(new Uint8Array(32), '', wish, async () => new Response('{"state":"own"}'))).rejects.toThrow();
});

it('opens the lock of its wish with the next one only', () => {
  const secret = fromBase64url('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8');
  const ada = { name: 'Ada', character: 'red', plays: false };
  const [first, next] = [lockWish(secret, 1, ada), lockWish(secret, 2, { ...ada, name: 'Eve' })];
  expect(toBase64url(sha256(sha256(fromBase64url(next.open))))).toBe(first.lock);
  expect([first.open, first.lock, next.lock]).not.toContain(next.open);
  expect(lockWish(secret, 1, ada)).toEqual(first); // after a reload
});

it('a link of the display asks, until the phone has a seat; a seat that it has comes first', async () => {
  history.replaceState(null, '', '/#w=WALL');
  expect(await findArrival(site)).toEqual({ wall: 'WALL' });
  expect(location.hash).toBe('');
  expect(await findArrival(site)).toEqual({ wall: 'WALL' }); // after a reload
  storePass(site, { seat: 2, number: 1, user: 't7-s2', key: new Uint8Array(32), phone: 'a'.repeat(16) });
  expect(scanned.get()).toBeUndefined();
  history.replaceState(null, '', '/#w=NEXT');
  expect(await findArrival(site)).toHaveProperty('pass.seat', 2);
  expect(withoutSeat()).toEqual({ wall: 'NEXT' }); // when that seat is gone
});
