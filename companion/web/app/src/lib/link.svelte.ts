// The page's connection to the table: one MQTT connection that reconnects automatically,
// the last view, and the names. The broker retains whole views, so that the page
// receives the last one when it reconnects.
//
// Every attempt is a new client with a fresh one-time password; the old one is
// destroyed first. A seat's client id identifies its phone, so that the daemon
// recognises it; the broker ends an older connection with the same id.
//
// 1. At most one client lives at any time.
// 2. Views are shown in rising (epoch, rev, drawing) only, for a seat also over a reload: a recording of an
//    earlier view is not shown. The epoch of a table never goes back, also when a backup is restored.
// 3. No message that arrives can throw: noise must not cost the messages after it.
// 4. A seat shows only names that its sealed view names: they come in the open.
import { randomName, encodeText, equalBytes } from './bytes';
import { LastView } from './lastview';
import { countConnect, highestSeen, takeStored } from './join';
import { SeatKey, namesSum } from './seal';
import { type Site, brokerURL, tableTopics } from './site';
import type { Pass } from './join';
import { type Names, OtherVersion, type Reply, type Update, isNewer, readNames, readReply, readUpdate } from './wire';

/**
 * connecting: not yet, or no longer; refused: the broker does not accept this
 * seat's key, and until it does nothing of the seat is shown; elsewhere: another tab of this browser has taken the seat;
 * outdated: the daemon speaks another version, the page must be loaded again.
 */
export type LinkState = 'connecting' | 'live' | 'refused' | 'elsewhere' | 'outdated';

/** What the link needs of an MQTT client; tests give it another one. */
export interface Client {
  on(event: 'connect' | 'close', f: () => void): unknown;
  on(event: 'error', f: (e: Error & { code?: number | undefined }) => void): unknown;
  on(event: 'message', f: (topic: string, payload: Uint8Array) => void): unknown;
  /** With QoS 1; granted is one number for each topic, 128 for one that is refused. */
  subscribe(topics: string[], f: (e: Error | null, granted?: readonly number[]) => void): unknown;
  /** With QoS 1: f hears when the broker has taken it. */
  publish(topic: string, payload: Uint8Array, f: (e: Error | null) => void): unknown;
  end(): unknown;
}

export interface Login {
  url: string;
  clientId: string;
  username: string;
  password: string;
}

export type Connect = (login: Login) => Client;

const PUBLIC_PASSWORD = 'public'; // no secret: MQTT 3.1.1 clients must send one
const FIRST_RETRY = 250; // ms, doubled at each failure
const LAST_RETRY = 4000;
const REFUSED_RETRY = 5000; // while the page is visible and the host may be about to accept it
const REFUSED_HIDDEN = 60_000; // while the page is hidden
const PATIENCE = 1500; // ms for an answer to a probe
const ASLEEP = 5000; // ms out of sight after which the screen is not trusted
const DOUBT = 5000; // ms after which names that are not those of the view are no new ones on their way

export class Link {
  state = $state<LinkState>('connecting');
  /** What is shown may be old: not connected, or just woken and not yet checked. */
  stale = $state(true);
  update = $state.raw<Update | undefined>();
  names = $state.raw<Names>([]);
  /** Somebody changes the names on their way: those that are shown are older, or none. */
  forged = $state(false);
  /** The daemon says that it runs. */
  online = $state(true);
  /** The seat was lost after its game had ended. */
  over = $state(false);

  /** Called for each answer to an act, and for each view that is shown. */
  onReply: (reply: Reply) => void = () => {};
  onUpdate: (update: Update) => void = () => {};
  onNames: (names: Names) => void = () => {};

  readonly #site: Site;
  readonly #pass: Pass | undefined;
  readonly #topics: ReturnType<typeof tableTopics>;
  #key: SeatKey | undefined;
  readonly #user: string;
  readonly #phone: string | undefined;
  readonly #highest; // the last view that this browser has shown of the seat
  readonly #connect: Connect;
  readonly #url: string;
  readonly #as: string;
  readonly #last: LastView | undefined; // seats only
  #recalled = false; // what is shown is from before the reload
  #opened: Uint8Array | undefined; // the view that is shown, as it came
  #heard: { text: string; sum?: string | undefined } | undefined; // names, as they came
  #named: string | undefined; // the names that belong to the last view, by their hash
  #learned: string | undefined;
  #doubt: ReturnType<typeof setTimeout> | undefined;
  #client: Client | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #probe: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #hiddenAt: number | undefined;
  #tabs: BroadcastChannel | undefined;
  readonly #me = randomName();

  /** Without a pass the link is the public's; as is the prefix of its client ids. */
  constructor(site: Site, pass: Pass | undefined, connect: Connect, url = brokerURL(), as = '') {
    this.#site = site;
    this.#pass = pass;
    this.#user = pass?.user ?? 'public';
    this.#key = pass && new SeatKey(pass.key);
    this.#phone = pass?.phone;
    if (pass && pass.seat !== 0) this.#last = new LastView(site.base, this.#user);
    this.#topics = tableTopics(site.base, this.#user);
    this.#highest = highestSeen(site, this.#user);
    this.#connect = connect;
    this.#url = url;
    this.#as = as;
  }

  start(): void {
    document.addEventListener('visibilitychange', this.#seen);
    window.addEventListener('pageshow', this.#shown);
    window.addEventListener('online', this.#wake);
    document.addEventListener('resume', this.#wake);
    if (this.#last) window.addEventListener('pagehide', this.#last.write);
    this.#claim();
    this.#open();
    this.#recall();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#seen);
    window.removeEventListener('pageshow', this.#shown);
    window.removeEventListener('online', this.#wake);
    document.removeEventListener('resume', this.#wake);
    if (this.#last) window.removeEventListener('pagehide', this.#last.write);
    this.#tabs?.close();
    this.#tabs = undefined;
    this.#believe();
    this.#drop();
  }

  /** Goes on with the key that the pass has now; what is shown stays. */
  renewKey(): void {
    if (!this.#pass || this.state === 'elsewhere' || this.state === 'outdated') return;
    this.#key = new SeatKey(this.#pass.key);
    this.#open();
  }

  /** The seat is given up: nothing of it is kept. */
  leave(): void {
    this.stop();
    this.#last?.forget();
  }

  /** Takes the seat back from another tab. */
  takeBack(): void {
    if (this.state !== 'elsewhere') return;
    if (this.#pass && takeStored(this.#site, this.#pass)) this.#key = new SeatKey(this.#pass.key);
    this.#claim();
    this.#open();
  }

  /**
   * Sends an act for this seat, sealed. Rejects when the broker did not take
   * it in time; the reply or the next view shows whether the daemon accepted it.
   */
  send(seq: number, act: object): Promise<void> {
    const client = this.#client;
    const update = this.update;
    if (!client || !this.#key || this.state !== 'live' || !update) return Promise.reject(new Error('not connected'));
    const sealed = this.#key.sealAct(this.#topics.up, update.epoch, seq, { ...act, rev: update.rev });
    return new Promise((done, fail) => client.publish(this.#topics.up, sealed, (e) => (e ? fail(e) : done())));
  }

  /** Tests the connection by subscribing again, which also brings the last view. */
  check(): void {
    const client = this.#client;
    if (!client || this.state !== 'live') return this.#again(0);
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => this.#again(0), PATIENCE);
    this.#subscribe(client);
  }

  #open(): void {
    this.#drop();
    if (this.state !== 'refused') this.state = 'connecting';
    const clientId = `${this.#user}.${this.#phone ?? this.#as + randomName(9)}`;
    const password = this.#key ? this.#key.password(clientId, countConnect(this.#site, this.#user)) : PUBLIC_PASSWORD;
    const client = this.#connect({ url: this.#url, clientId, username: this.#user, password });
    this.#client = client;
    const current = () => this.#client === client;
    client.on('connect', () => current() && this.#subscribe(client));
    client.on('message', (topic, payload) => current() && this.#hear(topic, payload));
    client.on('error', (e) => {
      // 4: bad user name or password, 5: not authorised (MQTT 3.1.1, 3.2.2.3)
      if (current() && (e.code === 4 || e.code === 5)) this.#refuse();
    });
    client.on('close', () => current() && this.#again());
  }

  #subscribe(client: Client): void {
    const { availability, names, state, view, reply } = this.#topics;
    const wanted = [availability, names, ...(this.#key ? [view, reply] : [state])];
    client.subscribe(wanted, (e, granted) => {
      if (this.#client !== client) return;
      clearTimeout(this.#probe);
      // A refused subscription is no error in MQTT 3.1.1 but the grant 128.
      if (e || granted?.some((qos) => qos > 2)) return this.#again();
      this.#failures = 0;
      this.state = 'live';
      this.stale = this.#recalled;
    });
  }

  #refuse(): void {
    this.#drop();
    this.#last?.forget();
    if (this.update) this.over = this.update.view.result !== undefined;
    this.update = this.#opened = undefined;
    this.#recalled = false;
    this.state = 'refused';
    this.stale = true;
    this.#retry = setTimeout(() => this.#open(), document.visibilityState === 'hidden' ? REFUSED_HIDDEN : REFUSED_RETRY);
  }

  /** Tries again after a while that grows, up to 4 s. */
  #again(wait = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** this.#failures)): void {
    this.#drop();
    if (this.state === 'elsewhere' || this.state === 'outdated') return;
    this.#failures++;
    if (this.state !== 'refused') this.state = 'connecting';
    this.stale = true;
    // A little chance, so that eight phones do not all come at once.
    this.#retry = setTimeout(() => this.#open(), wait * (1 + Math.random() / 4));
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#probe);
    const client = this.#client;
    this.#client = undefined;
    client?.end();
  }

  #hear(topic: string, payload: Uint8Array): void {
    try {
      this.#take(topic, payload);
    } catch (e) {
      if (e instanceof OtherVersion) {
        this.state = 'outdated';
        this.#last?.forget();
        this.#drop();
      }
      // Otherwise a retained message for an older key, or noise: nothing to show.
    }
  }

  #take(topic: string, payload: Uint8Array): void {
    const t = this.#topics;
    switch (topic) {
      case t.availability:
        this.online = new TextDecoder().decode(payload) === 'online';
        break;
      case t.names:
        this.#heard = { text: new TextDecoder().decode(payload) };
        this.#bindNames();
        break;
      case t.state:
        this.#show(readUpdate(JSON.parse(new TextDecoder().decode(payload))));
        break;
      case t.view: {
        if (!this.#key) break;
        // After a reload and when a phone wakes the broker mostly sends the shown view: decrypting it again takes a slow phone 0.1 s.
        const update = this.update && this.#opened && equalBytes(payload, this.#opened) ? this.update : this.#unseal(this.#key, payload);
        if (!update || this.#isOld(update)) break;
        this.#last?.view(update.view.result ? undefined : payload);
        this.#arrived(update);
        if (this.update === update) this.#opened = payload;
        break;
      }
      case t.reply:
        if (this.#key) this.onReply(readReply(this.#key.openReply(topic, payload).body));
        break;
    }
  }

  /** Shows the names that have come if they are those of the view: before that they may be anybody's. */
  #bindNames(): void {
    const heard = this.#heard;
    if (!heard || (this.#key && !this.update)) return;
    const sum = this.#named;
    if (!this.#key || sum === undefined || (heard.sum ??= namesSum(encodeText(heard.text))) === sum) {
      this.#believe();
      this.#learn(heard.text);
    } else {
      this.#doubt ??= setTimeout(() => (this.forged = true), DOUBT);
    }
  }

  #believe(): void {
    clearTimeout(this.#doubt);
    this.#doubt = undefined;
    this.forged = false;
  }

  #learn(text: string): void {
    if (this.#learned === text) return;
    const names = readNames(JSON.parse(text));
    this.#learned = text;
    this.#last?.names(text);
    this.names = names;
    this.onNames(names);
  }

  #unseal(key: SeatKey, payload: Uint8Array): Update | undefined {
    const { epoch, number, body } = key.openView(this.#topics.view, payload);
    const update = readUpdate(body);
    return update.epoch === epoch && update.rev === number ? update : undefined;
  }

  #show(update: Update): void {
    const again = this.update?.epoch === update.epoch && this.update.rev === update.rev; // as after a change of names
    const isNew = isNewer(this.update, update);
    if (isNew) this.update = update;
    if (isNew || again) this.#named = update.names;
    if (this.#key && (isNew || again)) this.#bindNames();
    if (!isNew) return;
    if (this.#key) this.#highest.set(`${update.epoch}.${update.rev}`);
    this.onUpdate(update);
  }

  /** Whether this browser has shown a later view of the seat. */
  #isOld({ epoch, rev }: Update): boolean {
    const [lastEpoch = 0, lastRev = 0] = this.#highest.get()?.split('.').map(Number) ?? [];
    return epoch < lastEpoch || (epoch === lastEpoch && rev < lastRev);
  }

  #arrived(update: Update): void {
    if (this.#recalled) {
      this.#recalled = false;
      if (this.state === 'live') this.stale = false;
    }
    this.#show(update);
  }

  /** Shows the view that this tab had before the reload, until the broker's view comes. */
  #recall(): void {
    const last = this.#key && this.#last?.take();
    if (!this.#key || !last) return;
    try {
      const update = this.#unseal(this.#key, last.view);
      if (!update) return;
      this.#heard = { text: last.names, sum: update.names }; // checked when they were kept
      this.#last?.view(last.view);
      this.#recalled = true;
      this.#show(update);
      this.#opened = last.view;
    } catch {
      // Of another key, or of another version of this page: the broker sends it again.
    }
  }

  #seen = (): void => {
    if (document.visibilityState === 'hidden') {
      this.#hiddenAt = Date.now();
      this.#last?.write(); // a phone may end the page without another word
      return;
    }
    if (this.#hiddenAt !== undefined && Date.now() - this.#hiddenAt > ASLEEP) this.stale = true;
    this.#hiddenAt = undefined;
    this.#wake();
  };

  // The browser shows a page that it had kept; the one that it has just loaded has its connection on the way.
  #shown = (e: PageTransitionEvent): void => {
    if (e.persisted) this.#wake();
  };

  // A phone that slept may hold a dead socket that looks open; iOS never closes it.
  #wake = (): void => {
    if (this.state === 'live') this.check();
    else if (this.state === 'connecting' || this.state === 'refused') {
      this.#failures = 0;
      this.#again(0);
    }
  };

  /** Two tabs on one seat would disturb each other: the newest has it. */
  #claim(): void {
    if (!this.#key || typeof BroadcastChannel === 'undefined') return;
    const tabs = (this.#tabs ??= new BroadcastChannel(`majordome:${this.#topics.view}`));
    tabs.onmessage = (m) => {
      if (m.data === this.#me) return;
      this.#drop();
      this.state = 'elsewhere';
      this.stale = true;
    };
    tabs.postMessage(this.#me);
  }
}
