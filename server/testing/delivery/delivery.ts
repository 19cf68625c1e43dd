/** Fixtures for tests of the ad server: live ads inserted into the tables, and requests as a page sends them. */
import type { AddressInfo } from 'node:net';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { Client } from '../client.ts';
import { BROWSER, SITE, type Tables } from './running-ads.ts';
import { startTestServer, type TestServer } from '../server.ts';

export {
  type AdFields,
  addZone,
  BROWSER,
  makeRunningAd,
  makeSiteWithZone,
  SITE,
  storeVideo,
} from './running-ads.ts';

export type Visit = { site?: string; userAgent?: string; headers?: Record<string, string> };

export type AdServerTest = TestServer & {
  /** A client that calls the server's real address and ignores PUBLIC_URL. */
  caller: Client;
  /** Sends an ad request of the site's page and returns one ad per zone. */
  ask: (zones: string[], visit?: Visit) => Promise<ServedAd[]>;
  /** Sends an ad request for one zone and returns the addresses that report its view and click. */
  decide: (zone: string, visit?: Visit) => Promise<{ view: string; click: string }>;
  /** Reports a view and returns the status of the answer. */
  view: (address: string, visit?: Visit) => Promise<number>;
  click: (address: string, visit?: Visit) => Promise<{ status: number; location: string | null }>;
};

/** Now, or the next UTC midnight if it is less than an hour away, because the caps and figures of a day start again then. */
function beginning(): Date {
  const soon = new Date(Date.now() + HOUR_MS);
  const midnight = soon.getTime() - (soon.getTime() % DAY_MS);
  return new Date(Math.max(Date.now(), midnight));
}

export async function startAdServerTest(
  env: Record<string, string> = {},
  log?: (line: string) => void,
): Promise<AdServerTest> {
  const server = await startTestServer({ env, start: beginning(), ...(log && { log }) });
  const { port } = server.app.fastify.server.address() as AddressInfo;
  const caller = new Client(`http://127.0.0.1:${port}`);
  const headersOf = ({ site = SITE, userAgent = BROWSER, headers = {} }: Visit) => ({
    ...(site && { origin: site }),
    'user-agent': userAgent,
    ...headers,
  });
  const local = (address: string) => new URL(address).pathname;

  const ask = async (zones: string[], visit: Visit = {}): Promise<ServedAd[]> => {
    const answer = await caller.get(`/api/serve/ads?z=${zones.join(',')}`, headersOf(visit));
    if (answer.status !== 200) throw new Error(`The ad request answered ${answer.status}: ${answer.text}`);
    return (answer.body as { ads: ServedAd[] }).ads;
  };
  return {
    ...server,
    caller,
    ask,
    decide: async (zone, visit) => {
      const [ad] = await ask([zone], visit);
      if (!ad?.view || !ad.click) throw new Error(`The zone shows no ad: ${JSON.stringify(ad)}`);
      return { view: ad.view, click: ad.click };
    },
    view: async (address, visit = {}) =>
      (await caller.send('POST', local(address), undefined, headersOf(visit))).status,
    click: async (address, visit = {}) => {
      // A navigation has no Origin.
      const { origin: _, ...headers } = headersOf(visit) as Record<string, string>;
      const answer = await caller.get(local(address), headers);
      return { status: answer.status, location: answer.headers.get('location') };
    },
  };
}

/** An ad's status, counters and end date in the database. */
export async function adRow(ctx: Tables, id: number) {
  return await ctx.db
    .selectFrom('ads')
    .select(['status', 'totalImpressions', 'totalClicks', 'endDate'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** An ad's counted and filtered events, such as { 'view': 3, 'view too_fast': 1 }. */
export async function figures(ctx: Tables, adId: number | null): Promise<Record<string, number>> {
  const rows = await ctx.db
    .selectFrom('deliveryHourly')
    .select(['kind', 'reason', 'n'])
    .where('adId', adId === null ? 'is' : '=', adId)
    .where('kind', '<>', 'decision')
    .execute();
  const sums: Record<string, number> = {};
  for (const { kind, reason, n } of rows) {
    const name = `${kind} ${reason}`.trim();
    sums[name] = (sums[name] ?? 0) + n;
  }
  return sums;
}
