import { expect, it, vi } from 'vitest';
import { canChange, findSaferPage } from './secure';

const site = { base: 'majordome/1/house/table', table: 'table', demo: false, https: 8443 };
const page = { protocol: 'http:', hostname: '192.168.1.5', pathname: '/host', hash: '#j=abc' };

it('a phone that trusts the table goes over, with its invitation', async () => {
  const get = vi.fn<typeof fetch>(async () => new Response());
  expect(await findSaferPage(site, page, get)).toBe('https://192.168.1.5:8443/host#j=abc');
  expect(get.mock.calls[0]?.[0]).toBe('https://192.168.1.5:8443/trusted'); // and the invitation is not sent there
  expect(await findSaferPage({ ...site, https: 443 }, page, get)).toBe('https://192.168.1.5/host#j=abc');
});

it('one that does not stays where it is', async () => {
  const refuses: typeof fetch = async () => {
    throw new TypeError('ERR_CERT_AUTHORITY_INVALID');
  };
  expect(await findSaferPage(site, page, refuses)).toBeUndefined();
});

it('nobody asks where there is nothing to gain', async () => {
  const get = vi.fn<typeof fetch>();
  expect(await findSaferPage({ ...site, https: 0 }, page, get)).toBeUndefined();
  expect(await findSaferPage(site, { ...page, protocol: 'https:' }, get)).toBeUndefined();
  expect(get).not.toHaveBeenCalled();
  expect([canChange(undefined, page), canChange(site, page)]).toEqual([false, true]);
});
