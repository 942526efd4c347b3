import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { language } from '../lib/language.svelte';
import { drawQr } from '../lib/qr';
import HostCode from './HostCode.svelte';
import { claimLink } from '../lib/public.svelte';

const url = 'http://192.168.1.5';
beforeEach(() => (language.lang = 'en'));
afterEach(cleanup);
const drawn = (): string | null | undefined => screen.getByRole('img').querySelector('path')?.getAttribute('d');

it('the code carries the address of the host’s page, and on Majordome’s own computer the link', () => {
  render(HostCode, { host: 'free', url, voice: language });
  expect(drawn()).toBe(drawQr(`${url}/host`).d);
  expect(document.body.textContent).toContain('192.168.1.5/host');
  cleanup();
  render(HostCode, { host: 'free', url, link: `${url}/host#j=abc`, voice: language });
  expect(drawn()).toBe(drawQr(`${url}/host#j=abc`).d);
  expect(document.body.textContent).not.toContain('abc');
});

it('who stands at the table is told that somebody asks', () => {
  render(HostCode, { host: 'asked', url, voice: language });
  expect(screen.getByRole('status').textContent).toContain(language.t('ui.display.host.asked'));
});

it('a display elsewhere does not even ask for the link', async () => {
  const get = vi.fn<typeof fetch>(async () => new Response('{"url":"x"}'));
  expect(await claimLink(get, '192.168.1.5')).toBe('');
  expect(get).not.toHaveBeenCalled();
  expect(await claimLink(get, 'localhost')).toBe('x');
  expect(await claimLink(async () => new Response('', { status: 403 }), '127.0.0.1')).toBe('');
});
