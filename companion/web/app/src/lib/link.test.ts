import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import vectors from '../../../../seal/testdata/vectors.json';
import { fromBase64url, encodeText } from './bytes';
import { type Client, Link, type Login } from './link.svelte';
import { storePass } from './join';
import { ACT_SIZE, SeatKey, VIEW_SIZE, deriveKey, namesSum, openFrame, sealFrame } from './seal';
import { isNewer, type Update } from './wire';

const site = { base: 'majordome/1/maison/t7', table: 't7', demo: false };
const pass = { seat: 3, number: 1, user: 't7-s3', key: fromBase64url(vectors.key), phone: 'abcdefgh234567yz' };

/** A client without a socket: the test is the broker. */
class Fake implements Client {
  handlers = new Map<string, (...args: never[]) => void>();
  subscribed: string[] = [];
  granted: ((e: Error | null, g?: readonly number[]) => void) | undefined;
  published: { topic: string; payload: Uint8Array }[] = [];
  ended = false;
  constructor(readonly login: Login) {}
  on(event: string, f: (...args: never[]) => void) {
    this.handlers.set(event, f);
  }
  subscribe(topics: string[], f: (e: Error | null, g?: readonly number[]) => void) {
    this.subscribed = topics;
    this.granted = f;
  }
  publish(topic: string, payload: Uint8Array, f: (e: Error | null) => void) {
    this.published.push({ topic, payload });
    f(null);
  }
  end() {
    this.ended = true;
  }
  emit(event: string, ...args: unknown[]) {
    (this.handlers.get(event) as ((...a: unknown[]) => void) | undefined)?.(...args);
  }
  live() {
    this.emit('connect');
    this.granted?.(null, this.subscribed.map(() => 1));
  }
}

let clients: Fake[];
let link: Link;
const last = () => clients[clients.length - 1] as Fake;

function start(who: typeof pass | undefined) {
  link?.stop();
  clients = [];
  link = new Link(site, who, (login) => {
    clients.push(new Fake(login));
    return last();
  }, 'ws://test/mqtt');
  link.start();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  link.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const publicUpdate = (epoch: number, rev: number) =>
  encodeText(JSON.stringify({ v: 1, epoch, rev, demo: false, seq: 0, view: { viewer: 'public', log: null }, table: {} }));

describe('the public link', () => {
  beforeEach(() => start(undefined));

  it('logs in as public and reads three topics', () => {
    expect(last().login).toMatchObject({ username: 'public', password: 'public' });
    expect(last().login.clientId).toMatch(/^public\.[a-z0-9]{8,16}$/);
    let id = '';
    const screen = new Link(site, undefined, (login) => ((id = login.clientId), new Fake(login)), 'ws://test/mqtt', 'display');
    screen.start();
    screen.stop();
    expect(id).toMatch(/^public\.display[a-z0-9]{9}$/); // by which the daemon recognises a display that plays reveals
    last().live();
    expect(last().subscribed).toEqual(['availability', 'names', 'state'].map((t) => `${site.base}/${t}`));
    expect(link.state).toBe('live');
    expect(link.stale).toBe(false);
  });
  it('shows views in rising order only', () => {
    last().live();
    const hear = (epoch: number, rev: number) => last().emit('message', `${site.base}/state`, publicUpdate(epoch, rev));
    hear(2, 5);
    hear(2, 4);
    hear(1, 9);
    expect(link.update).toMatchObject({ epoch: 2, rev: 5 });
    hear(3, 1);
    expect(link.update).toMatchObject({ epoch: 3, rev: 1 });
  });
  it.each([
    ['another drawing of its revision', { rev: 5, drawing: 1 }, { rev: 5, drawing: 2 }, true],
    ['the first that is drawn again', { rev: 5 }, { rev: 5, drawing: 1 }, true],
    ['the same', { rev: 5, drawing: 1 }, { rev: 5, drawing: 1 }, false],
    ['an older drawing', { rev: 5, drawing: 2 }, { rev: 5, drawing: 1 }, false],
    ['an older revision that was drawn later', { rev: 5, drawing: 1 }, { rev: 4, drawing: 2 }, false],
    ['a newer revision', { rev: 5, drawing: 2 }, { rev: 6 }, true],
    ['a former start', { epoch: 2, rev: 5 }, { epoch: 1, rev: 6, drawing: 9 }, false],
  ])('shows %s: %o, %o', (_, last, next, is) => expect(isNewer({ epoch: 2, ...last } as Update, { epoch: 2, ...next } as Update)).toBe(is));
  it('turns the null lists of Go into lists', () => {
    last().live();
    last().emit('message', `${site.base}/state`, publicUpdate(1, 1));
    expect(link.update?.view).toMatchObject({ log: [], offers: [], seats: [] });
  });
  it('says when the daemon has gone', () => {
    last().live();
    last().emit('message', `${site.base}/availability`, encodeText('offline'));
    expect(link.online).toBe(false);
  });
  it('survives anything that arrives', () => {
    last().live();
    for (const noise of ['', '{', 'null', '{"v":1}']) {
      expect(() => last().emit('message', `${site.base}/state`, encodeText(noise))).not.toThrow();
    }
    expect(link.state).toBe('live');
  });
  it('stops at a daemon of another version', () => {
    last().live();
    last().emit('message', `${site.base}/state`, encodeText('{"v":2,"view":{}}'));
    expect(link.state).toBe('outdated');
    expect(last().ended).toBe(true);
  });
});

describe('the link of a seat', () => {
  beforeEach(() => start(pass));

  it('reads its own view and reply', () => {
    last().live();
    expect(last().subscribed).toEqual([`${site.base}/availability`, `${site.base}/names`, `${site.base}/seat/t7-s3/view`,
      `${site.base}/seat/t7-s3/reply`]);
  });
  it('opens its view', () => {
    last().live();
    last().emit('message', vectors.view.topic, fromBase64url(vectors.view.payload));
    expect(link.update).toMatchObject({ epoch: 7, rev: 41 });
  });
  it('ignores a view that was sealed for an older key', () => {
    last().live();
    const noise = fromBase64url(vectors.view.payload);
    noise[300] = (noise[300] ?? 0) ^ 1;
    last().emit('message', vectors.view.topic, noise);
    expect(link.update).toBeUndefined();
    last().emit('message', vectors.view_full.topic, fromBase64url(vectors.view_full.payload));
    expect(link.update).toMatchObject({ rev: 42 });
  });
  it('seals acts for the epoch and the view that it has seen', async () => {
    last().live();
    await expect(link.send(1, {})).rejects.toThrow();
    last().emit('message', vectors.view.topic, fromBase64url(vectors.view.payload));
    await link.send(9, { act: 'move' });
    expect(last().published[0]?.topic).toBe(`${site.base}/seat/t7-s3/up`);
    const sent = openFrame(deriveKey(pass.key, 'up', 32), vectors.act.topic, last().published[0]!.payload, ACT_SIZE);
    expect(sent).toEqual({ epoch: 7, number: 9, body: { act: 'move', rev: 41 } });
  });
  it('uses a new password and a rising counter each time, and the name of its phone always', () => {
    last().emit('close');
    vi.advanceTimersByTime(250);
    expect(clients).toHaveLength(2);
    const [a, b] = clients as [Fake, Fake];
    expect(a.ended).toBe(true);
    expect(b.login.password).not.toBe(a.login.password);
    expect([a.login.clientId, b.login.clientId]).toEqual(['t7-s3.abcdefgh234567yz', 't7-s3.abcdefgh234567yz']);
    const count = (f: Fake) => new DataView(fromBase64url(f.login.password).buffer).getBigUint64(0);
    expect(count(b)).toBeGreaterThan(count(a));
  });
  it('keeps the counter rising when the clock of the phone is set back', () => {
    const count = (f: Fake) => new DataView(fromBase64url(f.login.password).buffer).getBigUint64(0);
    const before = count(last());
    vi.setSystemTime(Date.now() - 86_400_000);
    last().emit('close');
    vi.advanceTimersByTime(250);
    expect(count(last())).toBeGreaterThan(before);
  });
  it('waits longer after each failure, up to 4 s, and never gives up', () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const n = clients.length;
      last().emit('close');
      let waited = 0;
      while (clients.length === n) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, 4000]);
  });
  it.each([4, 5])('says that it was refused (code %i) and asks again later', (code) => {
    last().emit('error', Object.assign(new Error('refused'), { code }));
    expect(link.state).toBe('refused');
    vi.advanceTimersByTime(5000);
    expect(clients).toHaveLength(2);
  });
  it('asks every 5 s as long as somebody looks at it, once a minute out of sight, and at once when it is looked at again', () => {
    const see = (state: DocumentVisibilityState) => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const refuse = () => last().emit('error', Object.assign(new Error('refused'), { code: 5 }));
    const within = (ms: number) => {
      const before = clients.length;
      for (let i = 0; i < ms; i += 1000) {
        refuse();
        vi.advanceTimersByTime(1000);
      }
      return clients.length - before;
    };
    expect(within(1_200_000)).toBe(240);
    see('hidden');
    expect(within(600_000)).toBe(10);
    refuse();
    const n = clients.length;
    see('visible');
    vi.advanceTimersByTime(1);
    expect(clients).toHaveLength(n + 1);
  });
  it('takes a refused subscription for a failure', () => {
    last().emit('connect');
    last().granted?.(null, [1, 1, 128, 1]);
    expect(link.state).toBe('connecting');
    expect(last().ended).toBe(true);
  });
  it('ignores what a client says that was left', () => {
    const old = last();
    old.emit('close');
    vi.advanceTimersByTime(250);
    last().live();
    old.emit('close');
    expect(link.state).toBe('live');
    expect(clients).toHaveLength(2);
  });
});

describe('names, which come in the open', () => {
  const key = new SeatKey(pass.key);
  const namesOf = (fr: string) => encodeText(JSON.stringify([{ id: 'plum', kind: 'character', text: { fr, en: fr } }]));
  const view = (rev: number, names: Uint8Array | undefined) =>
    sealFrame(deriveKey(pass.key, 'view', 32), vectors.view.topic, 7, rev, {
      ...(JSON.parse(vectors.view.json) as Update),
      epoch: 7,
      rev,
      ...(names ? { names: namesSum(names) } : {}),
    }, VIEW_SIZE);
  const hearNames = (n: Uint8Array) => last().emit('message', `${site.base}/names`, n);
  const hearView = (rev: number, n?: Uint8Array) => last().emit('message', vectors.view.topic, view(rev, n));
  const [ours, renamed, forged] = [namesOf('Violet'), namesOf('Prune'), namesOf('Le Docteur Lenoir')] as const;
  const shown = () => link.names.map((n) => n.text.fr);

  beforeEach(() => {
    start(pass);
    last().live();
    expect(() => key.openView(vectors.view.topic, view(1, ours))).not.toThrow();
  });

  it.each([['before', true], ['after', false]])('are shown if they come %s the view that names them', (_, first) => {
    if (first) hearNames(ours);
    expect(shown()).toEqual([]);
    hearView(50, ours);
    if (!first) hearNames(ours);
    expect(shown()).toEqual(['Violet']);
    vi.advanceTimersByTime(60_000);
    expect(link.forged).toBe(false);
  });
  it('may change, names first or view first', () => {
    hearNames(ours);
    hearView(50, ours);
    hearNames(renamed);
    expect(shown()).toEqual(['Violet']);
    hearView(51, renamed);
    expect(shown()).toEqual(['Prune']);
    hearView(52, ours);
    vi.advanceTimersByTime(1000);
    hearNames(ours);
    expect(shown()).toEqual(['Violet']);
    vi.advanceTimersByTime(60_000);
    expect(link.forged).toBe(false);
  });
  it('may change between two steps: the last one comes again', () => {
    hearNames(ours);
    hearView(50, ours);
    hearNames(renamed);
    hearView(50, renamed);
    expect(shown()).toEqual(['Prune']);
    vi.advanceTimersByTime(60_000);
    expect(link.forged).toBe(false);
  });
  it('that somebody has changed on the way are not shown, and the page says so until the true ones come', () => {
    hearNames(ours);
    hearView(50, ours);
    hearNames(forged);
    for (let rev = 51; rev < 60; rev++) hearView(rev, ours);
    expect(link.forged).toBe(false);
    vi.advanceTimersByTime(5000);
    expect(link.forged).toBe(true);
    expect(shown()).toEqual(['Violet']);
    hearNames(ours);
    expect(link.forged).toBe(false);
  });
  it('that are no names cost no view', () => {
    hearNames(encodeText('{'));
    hearView(50, ours);
    expect(link.update).toMatchObject({ rev: 50 });
    vi.advanceTimersByTime(5000);
    expect(link.forged).toBe(true);
  });
  it('are shown without a word to a daemon of before', () => {
    hearNames(ours);
    hearView(50);
    expect(shown()).toEqual(['Violet']);
  });
});

describe('a link that gets another key', () => {
  const next = new Uint8Array(32).fill(7);
  it('connects with it, shows what it has shown, and opens nothing that was sealed for the former one', () => {
    const mine = { ...pass };
    storePass(site, mine);
    start(mine);
    last().live();
    last().emit('message', vectors.view.topic, fromBase64url(vectors.view.payload));
    mine.key = next;
    link.renewKey();
    expect(clients.map((c) => c.ended)).toEqual([true, false]);
    const { clientId, password } = last().login;
    expect(clientId).toBe(clients[0]?.login.clientId);
    const count = Number(localStorage.getItem(`majordome:${site.base}:t7-s3:connects`));
    expect(password).toBe(new SeatKey(next).password(clientId, count));
    expect(link.update?.rev).toBe(41);
    last().live();
    last().emit('message', vectors.view.topic, fromBase64url(vectors.view_full.payload));
    expect(link.update?.rev).toBe(41);
    void link.send(9, { act: 'x' });
    expect(() => openFrame(deriveKey(next, 'up', 32), last().published[0]!.topic, last().published[0]!.payload, ACT_SIZE)).not.toThrow();
  });
  it('takes back its seat with the key that the other tab has got', () => {
    const mine = { ...pass };
    storePass(site, mine);
    start(mine);
    new BroadcastChannel(`majordome:${vectors.view.topic}`).postMessage('another tab');
    return vi.waitFor(() => expect(link.state).toBe('elsewhere')).then(() => {
      storePass(site, { ...mine, key: next });
      link.takeBack();
      const { clientId, password } = last().login;
      const count = Number(localStorage.getItem(`majordome:${site.base}:t7-s3:connects`));
      expect(password).toBe(new SeatKey(next).password(clientId, count));
    });
  });
});

describe('a page that is loaded again', () => {
  const hearNames = (id = 'place-salon') =>
    last().emit('message', `${site.base}/names`,
      encodeText(JSON.stringify([{ id, kind: 'place', text: { fr: 'Salon', en: 'Drawing room' } }])));
  const hearView = (v: { topic: string; payload: string }) => last().emit('message', v.topic, fromBase64url(v.payload));
  const play = (who = pass) => {
    start(who);
    last().live();
    hearNames();
    hearView(vectors.view_full);
  };
  const reload = (who = pass) => {
    window.dispatchEvent(new Event('pagehide'));
    link.stop();
    start(who);
  };
  it('shows its last view at once, as old, and acts on nothing until the broker has sent its own', async () => {
    play();
    const names = vi.fn();
    window.dispatchEvent(new Event('pagehide'));
    link.stop();
    clients = [];
    link = new Link(site, pass, (login) => (clients.push(new Fake(login)), last()), 'ws://test/mqtt');
    link.onNames = names;
    link.start();
    const shown = link.update;
    expect(shown).toMatchObject({ epoch: 7, rev: 42 });
    expect(names).toHaveBeenCalledWith([expect.objectContaining({ id: 'place-salon' })]);
    expect([link.state, link.stale]).toEqual(['connecting', true]);
    await expect(link.send(1, {})).rejects.toThrow();
    last().live();
    expect([link.state, link.stale]).toEqual(['live', true]);
    hearView(vectors.view_full);
    expect(link.stale).toBe(false);
    expect(link.update).toBe(shown); // not drawn a second time
  });
  it('opens once what the broker has just as it was kept', () => {
    play();
    const opens = vi.spyOn(SeatKey.prototype, 'openView');
    reload();
    last().live();
    hearView(vectors.view_full);
    expect([link.stale, link.update?.rev]).toEqual([false, 42]);
    expect(opens).toHaveBeenCalledOnce();
    hearView(vectors.view); // a different, older view: decrypted and ignored
    expect(opens).toHaveBeenCalledTimes(2);
    hearView(vectors.view_full);
    expect([link.update?.rev, opens.mock.calls.length]).toEqual([42, 2]);
  });
  it.each([true, false])('shows nothing older than it has shown before, also when it has kept nothing: %s', (keeps) => {
    play();
    reload();
    if (!keeps) {
      link.stop();
      sessionStorage.clear();
      start(pass);
    }
    last().live();
    hearView(vectors.view);
    expect(link.update?.rev).toBe(keeps ? 42 : undefined);
    expect(link.stale).toBe(keeps); // what is shown is still from before the reload
    hearView(vectors.view_full);
    expect([link.update?.rev, link.stale]).toEqual([42, false]);
  });
  it('begins anew with a new pass', () => {
    play();
    reload({ ...pass });
    storePass(site, pass);
    sessionStorage.clear();
    start(pass);
    last().live();
    hearView(vectors.view);
    expect(link.update?.rev).toBe(41);
  });
  it('keeps it sealed, for one reload', () => {
    play();
    window.dispatchEvent(new Event('pagehide'));
    const kept = Object.values({ ...sessionStorage }).join();
    expect(kept).toContain(vectors.view_full.payload);
    expect(kept).not.toMatch(/viewer|epoch/);
    expect(JSON.stringify({ ...localStorage })).not.toContain(vectors.view_full.payload);
    start(pass);
    expect(link.update).toBeDefined();
    expect(sessionStorage.length).toBe(0);
  });
  it('keeps it when the phone falls asleep', () => {
    play();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    link.stop();
    start(pass);
    expect(link.update).toMatchObject({ rev: 42 });
  });
  it.each([
    ['it is refused', () => last().emit('error', Object.assign(new Error('refused'), { code: 5 }))],
    ['it leaves its seat', () => link.leave()],
    ['the daemon is of another version', () => last().emit('message', `${site.base}/state`, encodeText('{"v":2,"view":{}}'))],
  ])('keeps nothing when %s', (_, ends) => {
    play();
    ends();
    reload();
    expect(link.update).toBeUndefined();
    expect(sessionStorage.length).toBe(0);
  });
  it('shows nothing of a seat that it has lost, whatever becomes of its next tries', () => {
    play();
    for (
      const [ends, ms] of [[() => last().emit('error', Object.assign(new Error('refused'), { code: 5 })), 5000], [
        () => last().emit('close'),
        2000,
      ]] as const
    ) {
      ends();
      expect([link.state, link.update]).toEqual(['refused', undefined]);
      vi.advanceTimersByTime(ms);
      expect([link.state, link.update]).toEqual(['refused', undefined]);
    }
    last().live(); // the table has let it in
    hearView(vectors.view_full);
    expect([link.state, link.over]).toEqual(['live', false]);
    expect(link.update).toMatchObject({ rev: 42 });
  });
  it('shows nothing that was sealed for another key', () => {
    play();
    reload({ ...pass, key: new Uint8Array(32) });
    expect(link.update).toBeUndefined();
    expect(link.state).toBe('connecting');
  });
  it('shows nothing that it cannot read', () => {
    play();
    window.dispatchEvent(new Event('pagehide'));
    for (const noise of ['', '{', '{"view":"!","names":"[]"}', '{"view":"AAAA","names":"[]"}', 'null']) {
      sessionStorage.setItem(`majordome:${site.base}:${pass.user}:last`, noise);
      link.stop();
      start(pass);
      expect(link.update).toBeUndefined();
    }
  });
  it('keeps nothing of the host', () => {
    play({ ...pass, seat: 0 });
    reload({ ...pass, seat: 0 });
    expect(link.update).toBeUndefined();
  });
});

describe('a phone that wakes up', () => {
  const sleep = (ms: number) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    vi.advanceTimersByTime(ms);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
  };
  beforeEach(() => {
    start(pass);
    last().live();
  });

  it('marks the screen as stale until the broker has answered', () => {
    sleep(6000);
    expect(link.stale).toBe(true);
    last().live();
    expect(link.stale).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(clients).toHaveLength(1);
  });
  it('destroys a socket that is dead but looks open', () => {
    const old = last();
    sleep(6000);
    vi.advanceTimersByTime(1500);
    vi.advanceTimersByTime(1);
    expect(old.ended).toBe(true);
    expect(clients).toHaveLength(2);
  });
  it.each([['pageshow', { persisted: true }], ['online', {}]])('checks on %s', (event, more) => {
    last().granted = undefined;
    window.dispatchEvent(Object.assign(new Event(event), more));
    expect(last().granted).toBeDefined();
  });
  it('leaves the connection of a page that has just been loaded alone', () => {
    start(pass);
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
    vi.advanceTimersByTime(10);
    expect(clients).toHaveLength(1);
    expect(last().ended).toBe(false);
  });
  it('tries at once instead of waiting on', () => {
    for (let i = 0; i < 4; i++) {
      last().emit('close');
      vi.advanceTimersByTime(4000);
    }
    last().emit('close');
    const n = clients.length;
    window.dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(1);
    expect(clients).toHaveLength(n + 1);
  });
});
