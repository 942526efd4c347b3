import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { language } from '../lib/language.svelte';
import { Visit } from '../lib/visit.svelte';
import Door from './Door.svelte';
import WayIn from './WayIn.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function at(page: 'seat' | 'host', shut: Partial<Visit>): string {
  const visit = Object.assign(new Visit(page), shut);
  render(WayIn, { visit, page: (() => {}) as never, unknown: (() => {}) as never });
  return screen.getByRole('alert').textContent ?? '';
}
const refused = { link: { state: 'refused' } } as Partial<Visit>;

it.each(
  [['refused', refused], ['used', { arrival: { problem: 'used' } }], ['unknown', { arrival: { problem: 'unknown' } }]] as [string,
    Partial<Visit>][],
)(
  'a host who is shut out (%s) is told of the command, and a player to the host',
  (why, shut) => {
    const host = at('host', shut);
    expect(host).toContain('host --new');
    if (why !== 'refused') expect(host).not.toMatch(/ask the host/i); // a further device of the host may ask again;
    expect(screen.queryByRole('link', { name: 'Watch the game' })).toBeNull();
    cleanup();
    const player = at('seat', shut);
    expect(screen.getByRole('link', { name: 'Watch the game' }).getAttribute('href')).toBe('/display');
    expect(player).toMatch(/ask the host/i);
    expect(player).not.toContain('host --new');
  },
);

it('a guest whose game has ended is thanked, and the host is told how to come back', () => {
  const after = { link: { state: 'refused', over: true } } as Partial<Visit>;
  expect(at('host', after)).toContain('host --new');
  cleanup();
  const visit = Object.assign(new Visit('seat'), after);
  render(WayIn, { visit, page: (() => {}) as never, unknown: (() => {}) as never });
  expect(screen.getByRole('status').textContent).toMatch(/thank you for playing/i);
});

it('a page behind an icon of an iPhone says where the seat is', () => {
  render(Door, {});
  expect(screen.queryByText(/keeps your seat in Safari/)).toBeNull();
  cleanup();
  vi.stubGlobal('navigator', { standalone: true });
  render(Door, {});
  expect(screen.getByText(/keeps your seat in Safari/)).toBeTruthy();
});

it('a browser that keeps nothing is told before its invitation is used, and may use it all the same', async () => {
  const joined: string[] = [];
  vi.stubGlobal('fetch', async (to: string) => {
    joined.push(String(to));
    return String(to).includes('table.json')
      ? Response.json({ v: 1, table: 'one', base: 'majordome/1/home/one' })
      : new Response('', { status: 404 });
  });
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem() {},
  });
  history.replaceState(null, '', '/#j=AAAA');
  const visit = new Visit('seat');
  render(WayIn, { visit, page: (() => {}) as never, unknown: (() => {}) as never });
  await visit.come();
  expect((await screen.findByRole('alert')).textContent).toMatch(/keeps nothing/);
  expect(location.hash).toBe('#j=AAAA'); // to be opened in another browser
  expect(joined.some((to) => to.includes('join'))).toBe(false);
  await fireEvent.click(screen.getByRole('button', { name: 'Continue here anyway' }));
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/invitation/), 20_000);
  expect(location.hash).toBe('');
});
