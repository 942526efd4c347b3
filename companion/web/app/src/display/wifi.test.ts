import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import { names, samples } from '../dev/fixtures';
import { language } from '../lib/language.svelte';
import { drawQr } from '../lib/qr';
import OwnWifi from './OwnWifi.svelte';
import Table from './Table.svelte';
import { ownWifi, wifiCode } from './wifi';

afterEach(cleanup);

it('a display elsewhere does not even ask for the Wi-Fi', async () => {
  const get = vi.fn<typeof fetch>(async () => new Response('{"name":"Majordome","password":"abcdefgh23"}'));
  expect(await ownWifi(get, '10.42.0.1')).toBeUndefined();
  expect(get).not.toHaveBeenCalled();
  expect(await ownWifi(get, 'localhost')).toEqual({ name: 'Majordome', password: 'abcdefgh23' });
  expect(await ownWifi(async () => new Response('', { status: 404 }), 'localhost')).toBeUndefined();
  expect(await ownWifi(async () => Promise.reject(new Error('away')), 'localhost')).toBeUndefined();
});

it('what a code means stands before what it ends', () => {
  expect(wifiCode({ name: 'Chez l’hôte; 2', password: 'a:b\\c"d,e' })).toBe('WIFI:T:WPA;S:Chez l’hôte\\; 2;P:a\\:b\\\\c\\"d\\,e;;');
});

it('name and password are read, and scanned where no other code stands', () => {
  const wifi = { name: 'Majordome', password: 'abcdefgh23' };
  render(OwnWifi, { wifi, code: true, voice: language });
  expect(document.body.textContent).toContain('abcdefgh23');
  expect(screen.getByRole('img').querySelector('path')?.getAttribute('d')).toBe(drawQr(wifiCode(wifi)).d);
  cleanup();
  render(OwnWifi, { wifi, code: false, voice: language });
  expect(document.body.textContent).toContain('Majordome');
  expect(screen.queryByRole('img')).toBeNull();
});

it('in a game it is read as long as a phone is not there', () => {
  language.learnNames(names);
  const wifi = { name: 'Majordome', password: 'abcdefgh23' };
  const shown = (online: number[]): boolean => {
    const update = samples['play']!();
    render(Table, { update: { ...update, table: { ...update.table, online } }, wifi, voice: language, lang: 'en', onlang: () => {} });
    const there = screen.queryByText(/Majordome · abcdefgh23/) !== null;
    cleanup();
    return there;
  };
  const all = samples['play']!().view.seats.map((s) => s.seat);
  expect(shown(all.slice(1))).toBe(true);
  expect(shown(all)).toBe(false);
});
