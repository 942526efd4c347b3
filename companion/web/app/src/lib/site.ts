// Which table serves this page.

/** The answer to GET /table.json. */
export interface Site {
  base: string; // before every topic, e.g. majordome/1/home/table
  table: string;
  demo: boolean;
  https?: number; // the port of the same pages by https; 0: none
}

/** Asks the daemon; throws when it does not answer or does not make sense. The first answer is part of the page. */
export async function fetchSite(get: typeof fetch = fetch): Promise<Site> {
  const given = document.getElementById('site');
  given?.remove();
  if (given?.textContent) return readSite(JSON.parse(given.textContent));
  const answer = await get('/table.json', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`/table.json: ${answer.status}`);
  return readSite(await answer.json());
}

let here: Site | undefined;

/** The table of this page, once it is known. */
export const siteHere = (): Site | undefined => here;

function readSite(body: unknown): Site {
  const site = body as Partial<Site> & { v?: number };
  if (site.v !== 1 || typeof site.base !== 'string' || typeof site.table !== 'string') throw new Error('/table.json: not understood');
  here = { base: site.base, table: site.table, demo: site.demo === true, https: site.https ?? 0 };
  return here;
}

/** The broker has the same address as the page. */
export function brokerURL(page: Location = location): string {
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/mqtt`;
}

/** The topics of one table, as in package companion. */
export const tableTopics = (base: string, user: string) => ({
  availability: `${base}/availability`,
  names: `${base}/names`,
  state: `${base}/state`,
  view: `${base}/seat/${user}/view`,
  up: `${base}/seat/${user}/up`,
  reply: `${base}/seat/${user}/reply`,
});
