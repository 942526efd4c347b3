// The public connection to the table, for the pages that show only public facts:
// it finds out which table serves the page, opens the link, and names its
// trouble by a key of the words.
import { Link } from './link.svelte';
import { connect } from './mqtt';
import { brokerURL, fetchSite } from './site';
import { language } from './language.svelte';
import type { Update } from './wire';
import type { Key } from './words';

const RETRY = 2000; // ms between two tries to reach the daemon

export class PublicLink {
  #link = $state.raw<Link | undefined>();
  #unreached = $state(false);
  #stopped = false;
  readonly #as: string;

  /** as: wire.Display for a screen that plays scenes; the table waits for it. */
  constructor(as = '') {
    this.#as = as;
  }

  /** The last public update; undefined until the first has come. */
  get update(): Update | undefined {
    return this.#link?.update;
  }

  /** Why the shown update may be old; undefined while it is current. */
  get trouble(): Key | undefined {
    if (this.#unreached) return 'ui.display.link.lost';
    const link = this.#link;
    if (link === undefined || (link.update === undefined && link.state === 'connecting')) return undefined;
    if (link.state !== 'live' || link.stale) return 'ui.display.link.lost';
    return link.online ? undefined : 'ui.display.link.away';
  }

  /** Opens the link; the answer closes it. */
  start(): () => void {
    void this.#open();
    return () => {
      this.#stopped = true;
      this.#link?.stop();
    };
  }

  async #open(): Promise<void> {
    while (!this.#stopped) {
      try {
        const link = new Link(await fetchSite(), undefined, connect, brokerURL(), this.#as);
        if (this.#stopped) return;
        link.onNames = (names) => language.learnNames(names);
        link.onUpdate = (update) => language.learnSeats(update.view.seats);
        this.#link = link;
        this.#unreached = false;
        link.start();
        return;
      } catch {
        this.#unreached = true;
        await new Promise((done) => setTimeout(done, RETRY));
      }
    }
  }
}

/** Whether this page is on the screen of Majordome's own computer. */
export const ownScreen = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** The host's one-time link, only for the screen of Majordome's own computer; empty elsewhere. */
export async function claimLink(get: typeof fetch = fetch, host = location.hostname): Promise<string> {
  if (!ownScreen(host)) return '';
  try {
    const answer = await get('/claim', { cache: 'no-store' });
    const { url } = answer.ok ? ((await answer.json()) as { url?: string }) : {};
    return url ?? '';
  } catch {
    return '';
  }
}
