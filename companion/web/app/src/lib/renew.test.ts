import { beforeEach, expect, it, vi } from 'vitest';
import { x25519 } from '@noble/curves/ed25519.js';
import { concatBytes, encodeText, fromBase64url, randomBytes, toBase64url } from './bytes';
import { type Pass, loadPass, storePass } from './join';
import { joinHandshake } from './noise';
import { renewKey } from './renew';
import { SeatKey, codeId } from './seal';

const site = { base: 'majordome/1/maison/t7', table: 't7', demo: true };
const old = new Uint8Array(32).fill(1);
const next = new Uint8Array(32).fill(2);
const stored = (): Pass => loadPass(site, 3)!;
const passOf = (game?: number): Pass => ({
  seat: 3,
  number: 1,
  user: 't7-s3',
  key: old,
  phone: 'abcdefgh234567yz',
  ...(game === undefined ? {} : { game }),
});

/** A daemon that gives the phone with this key another one, after meanwhile. */
function daemon(key = old, given = next, meanwhile = () => {}) {
  const sent: { id: string; hello: string; fresh: string }[] = [];
  const post = vi.fn<typeof fetch>(async (_, init) => {
    const request = JSON.parse(String(init?.body)) as (typeof sent)[number];
    sent.push(request);
    const code = new SeatKey(key).renewalCode();
    if (request.id !== codeId(code)) return new Response('', { status: 404 });
    const bytes = fromBase64url(request.hello);
    const s = joinHandshake(code);
    s.mixPublicKey(bytes.slice(1, 33));
    s.open(bytes.slice(33));
    const own = randomBytes(32);
    s.mixPublicKey(x25519.getPublicKey(own));
    s.mixKey(x25519.getSharedSecret(own, bytes.slice(1, 33)));
    const box = s.seal(encodeText(JSON.stringify({ seat: 3, user: 't7-s3', key: toBase64url(given) })));
    meanwhile();
    return new Response(JSON.stringify({ box: toBase64url(concatBytes(Uint8Array.of(2), x25519.getPublicKey(own), box)) }));
  });
  return { post, sent };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

it('takes the next key in the place of the former one, which is kept nowhere', async () => {
  const pass = { ...passOf(6), by: 'abc' };
  storePass(site, pass);
  const { post, sent } = daemon();
  expect(await renewKey(site, pass, 7, post)).toBe(true);
  expect(pass).toMatchObject({ key: next, game: 7, by: 'abc' });
  expect(stored()).toEqual(pass);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(toBase64url(old));
  expect(JSON.stringify(sent)).not.toContain(new SeatKey(old).renewalCode()); // the code of a key is as good as the key
});

it('renews the key of a page from before keys were for one game', async () => {
  storePass(site, passOf());
  expect(stored().game).toBeUndefined();
  expect(await renewKey(site, stored(), 7, daemon().post)).toBe(true);
  expect(stored()).toMatchObject({ key: next, game: 7 });
});

it('keeps a key that it has just got, for the first game that it sees', async () => {
  storePass(site, passOf(0));
  const { post } = daemon();
  expect(await renewKey(site, stored(), 7, post)).toBe(false);
  expect(post).not.toHaveBeenCalled();
  expect(stored()).toMatchObject({ key: old, game: 7 });
});

it.each<[string, typeof fetch]>([
  ['without an answer', () => Promise.reject(new TypeError('no route'))],
  ['refused', async () => new Response('', { status: 410 })],
  ['answered by somebody who does not know the key', daemon(next).post],
  ['answered with noise', async () => new Response(JSON.stringify({ box: toBase64url(concatBytes(Uint8Array.of(2), randomBytes(120))) }))],
])('keeps the key %s', async (_, post) => {
  storePass(site, passOf(6));
  const pass = stored();
  expect(await renewKey(site, pass, 7, post)).toBe(false);
  expect(pass).toMatchObject({ key: old, game: 6 });
  expect(stored()).toMatchObject({ key: old, game: 6 });
});

it('makes another request each time, and counts on with the connects', async () => {
  storePass(site, passOf(6));
  const { post, sent } = daemon(next); // which refuses
  for (let n = 0; n < 3; n++) await renewKey(site, stored(), 7, post);
  expect(new Set(sent.map((s) => s.hello)).size).toBe(3);
  expect(new Set(sent.map((s) => s.fresh)).size).toBe(3);
  expect(Number(localStorage.getItem(`majordome:${site.base}:t7-s3:connects`))).toBeGreaterThan(1e12);
});

it('takes what another tab has got, before or while it asks itself', async () => {
  const [before, during] = [passOf(6), passOf(6)];
  const other = { ...passOf(7), key: new Uint8Array(32).fill(9) };
  storePass(site, before);
  expect(await renewKey(site, during, 7, daemon(old, next, () => storePass(site, other)).post)).toBe(true);
  const { post } = daemon();
  expect(await renewKey(site, before, 7, post)).toBe(true);
  expect(post).not.toHaveBeenCalled();
  for (const pass of [before, during, stored()]) expect(pass).toMatchObject({ key: other.key, game: 7 });
});

it('brings back no seat that was given up', async () => {
  storePass(site, passOf(6));
  const pass = stored();
  expect(await renewKey(site, pass, 7, daemon(old, next, () => localStorage.clear()).post)).toBe(false);
  expect(loadPass(site, 3)).toBeUndefined();
});
