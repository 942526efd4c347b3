import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { language } from '../lib/language.svelte';
import { Visit } from '../lib/visit.svelte';
import Door from './Door.svelte';
import Way from './Way.svelte';

beforeEach(() => (language.lang = 'en'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function at(page: 'seat' | 'host', shut: Partial<Visit>): string {
  const visit = Object.assign(new Visit(page), shut);
  render(Way, { visit, page: (() => {}) as never, unknown: (() => {}) as never });
  return screen.getByRole('alert').textContent ?? '';
}
const refused = { link: { state: 'refused' } } as Partial<Visit>;

it.each([['refused', refused], ['used', { arrival: { problem: 'used' } }], ['unknown', { arrival: { problem: 'unknown' } }]] as [string, Partial<Visit>][])(
  'a host who is shut out (%s) is told of the command, and a player to the host',
  (why, shut) => {
    const host = at('host', shut);
    expect(host).toContain('host --new');
    if (why !== 'refused') expect(host).not.toMatch(/ask the host/i); // a further device of the host may ask again;
    cleanup();
    const player = at('seat', shut);
    expect(player).toMatch(/ask the host/i);
    expect(player).not.toContain('host --new');
  },
);

it('a guest whose game has ended is thanked, and the host is told how to come back', () => {
  const after = { link: { state: 'refused', over: true } } as Partial<Visit>;
  expect(at('host', after)).toContain('host --new');
  cleanup();
  const visit = Object.assign(new Visit('seat'), after);
  render(Way, { visit, page: (() => {}) as never, unknown: (() => {}) as never });
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
