import { beforeEach, describe, expect, it, vi } from 'vitest';
import vectors from '../../../../seal/testdata/vectors.json';
import { x25519 } from '@noble/curves/ed25519.js';
import { concatBytes, fromBase64url, encodeText, randomBytes, toBase64url } from './bytes';
import { joinHandshake } from './noise';
import { phoneNonce } from './seal';
import { findArrival, findHostArrival, removePass, storePass, loadPass, storedSeats } from './join';

const site = { base: 'majordome/1/maison/t7', table: 't7', demo: true };
const code = vectors.join.code;

/** A daemon that knows the invitation of the vectors. */
function daemon(grant: unknown, status = 200, version = vectors.join.version) {
  return vi.fn<typeof fetch>(async (_, init) => {
    if (status !== 200) return new Response('', { status });
    const { hello } = JSON.parse(String(init?.body)) as { hello: string };
    const phone = fromBase64url(hello).slice(1, 33);
    const own = randomBytes(32);
    const s = readHello(hello);
    s.mixPublicKey(x25519.getPublicKey(own));
    s.mixKey(x25519.getSharedSecret(own, phone));
    const sealed = s.seal(encodeText(JSON.stringify(grant)));
    return new Response(JSON.stringify({ box: toBase64url(concatBytes(Uint8Array.of(version), x25519.getPublicKey(own), sealed)) }));
  });
}

/** The daemon's handshake after a request; throws for one that was not made with the code. */
function readHello(hello: string, read: (nonce: Uint8Array) => void = () => {}) {
  const bytes = fromBase64url(hello);
  const s = joinHandshake(code);
  s.mixPublicKey(bytes.slice(1, 33));
  read(s.open(bytes.slice(33)));
  return s;
}

const grant = (seat: number) => ({
  seat,
  user: seat === 0 ? 't7-host' : `t7-s${seat}`,
  key: toBase64url(new Uint8Array(32).fill(seat + 1)),
});

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

describe('an invitation', () => {
  it('makes this tab the seat and leaves the address bar', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    const got = await findArrival(site, daemon(grant(3)));
    expect(got).toMatchObject({ pass: { seat: 3, number: 1, user: 't7-s3' } });
    expect(location.href).not.toContain(code);
    expect(storedSeats(site)).toEqual([3]);
  });
  it('may make it one phone more of a seat, which it stays', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    expect(await findArrival(site, daemon({ ...grant(3), number: 2, user: 't7-s3b' }))).toMatchObject({ pass: { number: 2 } });
    expect(loadPass(site, 3)).toMatchObject({ seat: 3, number: 2, user: 't7-s3b' });
  });
  it('never sends the code itself', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    const post = daemon(grant(3));
    await findArrival(site, post);
    expect(JSON.stringify(post.mock.calls)).not.toContain(code);
  });
  it.each([
    [404, 'unknown'],
    [410, 'used'],
    [429, 'too-many'],
    [400, 'broken'],
    [503, 'offline'],
  ])('answered with %i is %s', async (status, problem) => {
    history.replaceState(null, '', `/#j=${code}`);
    expect(await findArrival(site, daemon(grant(3), status))).toEqual({ problem });
    expect(storedSeats(site)).toEqual([]);
  });
  it('that is cut short is broken, and nothing is sent', async () => {
    history.replaceState(null, '', '/#j=abc');
    const post = daemon(grant(3));
    expect(await findArrival(site, post)).toEqual({ problem: 'broken' });
    expect(post).not.toHaveBeenCalled();
  });
  it('with an answer from somebody who does not know it is broken', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    const post = async () => new Response(JSON.stringify({ box: toBase64url(concatBytes(Uint8Array.of(2), randomBytes(120))) }));
    expect(await findArrival(site, post)).toEqual({ problem: 'broken' });
  });
  it('answered in the way of another version is for another page', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    expect(await findArrival(site, daemon(grant(3), 200, 3))).toEqual({ problem: 'outdated' });
  });
  it('shows the table which phone joined, and not its name', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    const post = daemon(grant(3));
    const got = await findArrival(site, post);
    const phone = 'pass' in got ? got.pass.phone : '';
    const { hello } = JSON.parse(String(post.mock.calls[0]?.[1]?.body)) as { hello: string };
    readHello(hello, (nonce) => expect(nonce).toEqual(phoneNonce(phone)));
    expect(JSON.stringify(post.mock.calls)).not.toContain(phone);
    expect(loadPass(site, 3)?.phone).toBe(phone);
  });
  it('without a network is offline', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    expect(await findArrival(site, () => Promise.reject(new TypeError('no route')))).toEqual({ problem: 'offline' });
  });
});

it('an answer that got lost is asked for again with the same request', async () => {
  history.replaceState(null, '', `/#j=${code}`);
  const sent: unknown[] = [];
  const lost: typeof fetch = async (_, init) => {
    sent.push(init?.body);
    throw new TypeError('no route');
  };
  expect(await findArrival(site, lost)).toEqual({ problem: 'offline' });
  const post = daemon(grant(3));
  expect(await findArrival(site, post)).toMatchObject({ pass: { seat: 3 } });
  expect(post.mock.calls[0]?.[1]?.body).toBe(sent[0]);
  expect(await findArrival(site, daemon(null, 500))).toMatchObject({ pass: { seat: 3 } });
});

describe('a page that is loaded anew before its answer has come', () => {
  /** The page after a reload: its variables are lost, the storage of the tab stays. */
  async function reloaded(): Promise<typeof import('./join')> {
    vi.resetModules();
    return import('./join');
  }
  it.each([
    ['the request', () => Promise.reject(new TypeError('aborted'))],
    ['the answer', () => Promise.resolve(new Response(new ReadableStream({ start: (c) => c.error(new TypeError('aborted')) })))],
  ])('during %s is the same phone still', async (_, fails) => {
    history.replaceState(null, '', `/#j=${code}`);
    const lost = vi.fn<typeof fetch>(fails);
    expect(await findArrival(site, lost)).toEqual({ problem: 'offline' });
    expect(location.href).not.toContain(code);
    const post = daemon(grant(3));
    expect(await (await reloaded()).findArrival(site, post)).toMatchObject({ pass: { seat: 3 } });
    expect(post.mock.calls[0]?.[1]?.body).toBe(lost.mock.calls[0]?.[1]?.body);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(code); // nothing is kept once it is answered
  });
  it('keeps nothing of an invitation that is no more, and none for another page', async () => {
    history.replaceState(null, '', `/#j=${code}`);
    await findArrival(site, () => Promise.reject(new TypeError('aborted')));
    history.replaceState(null, '', '/host');
    expect(await (await reloaded()).findHostArrival(site, daemon(grant(3)))).toEqual({ seats: [] });
    history.replaceState(null, '', '/');
    expect(await (await reloaded()).findArrival(site, daemon(null, 410))).toEqual({ problem: 'used' });
    expect(await (await reloaded()).findArrival(site, daemon(grant(3)))).toEqual({ seats: [] });
  });
});

it('a link that this phone has used is its seat, and raises no alarm at the table', async () => {
  for (const at of ['/', '/host']) {
    const come = at === '/' ? findArrival : findHostArrival;
    history.replaceState(null, '', `${at}#j=${code}`);
    const first = await come(site, daemon(grant(at === '/' ? 3 : 0)));
    history.replaceState(null, '', `${at}#j=${code}`);
    const post = daemon(null, 410);
    expect(await come(site, post)).toEqual(first);
    expect(post).not.toHaveBeenCalled();
    localStorage.clear();
  }
});

describe('a seat is found again', () => {
  const join = (seat: number) =>
    storePass(site, { seat, number: 1, user: `t7-s${seat}`, key: new Uint8Array(32).fill(seat), phone: 'abcdefgh' });
  const never = daemon(null, 500);

  it('by a reload of its tab, whatever other tabs have joined', async () => {
    join(2);
    storePass({ ...site }, { seat: 4, number: 1, user: 't7-s4', key: new Uint8Array(32), phone: 'abcdefgh' });
    sessionStorage.setItem(`majordome:${site.base}:me`, '2');
    expect(await findArrival(site, never)).toMatchObject({ pass: { seat: 2 } });
  });
  it('by a new tab when it is the only one', async () => {
    join(2);
    sessionStorage.clear();
    expect(await findArrival(site, never)).toMatchObject({ pass: { seat: 2 } });
  });
  it('by choice when there are several', async () => {
    join(1);
    join(2);
    sessionStorage.clear();
    expect(await findArrival(site, never)).toEqual({ seats: [1, 2] });
  });
  it('by /#seat=2', async () => {
    join(1);
    join(2);
    sessionStorage.clear();
    history.replaceState(null, '', '/#seat=2');
    expect(await findArrival(site, never)).toMatchObject({ pass: { seat: 2 } });
  });
  it('but not at another table', async () => {
    join(2);
    expect(await findArrival({ ...site, base: 'majordome/1/maison/t8' }, never)).toEqual({ seats: [] });
  });
  it('nor after it was forgotten', async () => {
    join(2);
    removePass(site, 2);
    expect(await findArrival(site, never)).toEqual({ seats: [] });
  });
  it('and has a name from then on, also where a page from before kept none', async () => {
    localStorage.setItem(`majordome:${site.base}:seat-2`, `{"seat":2,"user":"t7-s2","key":"${toBase64url(new Uint8Array(32))}"}`);
    const phone = loadPass(site, 2)?.phone;
    expect(phone).toMatch(/^[a-z2-7]{16}$/);
    expect(loadPass(site, 2)?.phone).toBe(phone);
  });
  it('nor from a kept pass that makes no sense', async () => {
    localStorage.setItem(`majordome:${site.base}:seat-2`, '{"seat":2,"user":"t7-s2","key":"AA"}');
    expect(loadPass(site, 2)).toBeUndefined();
  });
});

describe('the host', () => {
  it('joins by an invitation and comes back without', async () => {
    history.replaceState(null, '', `/host#j=${code}`);
    expect(await findHostArrival(site, daemon(grant(0)))).toMatchObject({ pass: { seat: 0, user: 't7-host' } });
    expect(await findHostArrival(site, daemon(null, 500))).toMatchObject({ pass: { seat: 0 } });
    expect(storedSeats(site)).toEqual([]);
  });
});
