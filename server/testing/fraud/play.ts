/** Plays the visits of a day against a running server, minute by minute, and collects what was reported. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { renderProof } from '#domain/delivery/render-proof.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { Signal } from '#domain/invalid-traffic/signals.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { App } from '#server/app/app.ts';
import { resultsOf } from '#server/delivery/clicks/conversions.ts';
import { bucketsOf } from '#server/delivery/traffic/traits.ts';
import { addZone, makeSiteWithZone, makeRunningAd, makeUser } from '../delivery/running-ads.ts';
import { randomOf } from '../delivery/simulate.ts';
import { sellByDay } from './by-day.ts';
import type { NumberedPlayer as Player } from './players.ts';
import { headersOf, type Headers, type Visit } from './visit.ts';

/** The time that the server's clock shows while it handles the request. */
const TIME_HEADER = 'x-played-at';
const IN_PARALLEL = 32;
const UNREACHABLE = 1_000_000_000;
/** The time until a landing page runs its script. */
const LANDING_MS = 900;

/** Figures of one player. Views are those of the ad per impression, clicks those of the ad per click. */
export type Played = {
  player: Player;
  /** Billable reports that the player sent. */
  views: number;
  clicks: number;
  /** Conversions that the player reported, and those of them that were counted. */
  orders: { sent: number; counted: number };
  /** The addresses of the publisher's own visitors. */
  honest: Set<string>;
};

/**
 * A publisher's page with two zones, one that is sold per impression and one that is sold per click, and a third one if the
 * player sells an ad by the day.
 */
export type Stand = Played & {
  /** Whether the attack on this publisher is left out, to see what the honest visits are worth without it. */
  isTwin: boolean;
  site: string;
  websiteId: number;
  zones: { id: number; publicId: string; adId: number }[];
};

/** The clock of the server. It follows the request that is handled. */
export type Clock = { now: () => Date; set: (ms: number) => void };

export function createClock(startMs: number): Clock {
  let nowMs = startMs;
  return { now: () => new Date(nowMs), set: (ms) => (nowMs = ms) };
}

/** The server reads the time once, when a request arrives. So each request can have its own. */
export function followPlayedTime(app: App, clock: Clock): void {
  app.fastify.server.prependListener('request', (request: http.IncomingMessage) => {
    const at = request.headers[TIME_HEADER];
    delete request.headers[TIME_HEADER];
    if (typeof at === 'string') clock.set(Number(at));
  });
}

/**
 * A publisher for each player, with a page and two ads whose goals are never reached. One advertiser pays for all
 * clicks and measures their landings.
 */
export async function setUp(app: App, players: readonly Player[], dayMs: number): Promise<Stand[]> {
  const stands: Stand[] = [];
  const userId = await makeUser(app.ctx);
  const played = players.flatMap((player) => [
    { player, isTwin: false },
    ...(player.attack ? [{ player, isTwin: true }] : []),
  ]);
  for (const [at, { player, isTwin }] of played.entries()) {
    const site = `https://player-${at + 1}.example`;
    const { monthlyVisitors } = player;
    const place = await makeSiteWithZone(app.ctx, { url: site, monthlyVisitors });
    const zones: Stand['zones'] = [];
    for (const pricingModel of ['per_impression', 'per_click'] as const) {
      const { zoneId, zone } = zones.length === 0 ? place : await addZone(app.ctx, place.websiteId);
      const advertiser = pricingModel === 'per_click' ? { userId } : {};
      const { id } = await makeRunningAd(app.ctx, zoneId, {
        pricingModel,
        amount: UNREACHABLE,
        ...advertiser,
      });
      zones.push({ id: zoneId, publicId: zone, adId: id });
    }
    await app.ctx.db
      .updateTable('ads')
      .set({ measuresLandings: true })
      .where('userId', '=', userId)
      .execute();
    if (player.byDay) {
      const third = await addZone(app.ctx, place.websiteId);
      const adId = await sellByDay(
        app,
        { ...third, websiteId: place.websiteId },
        await makeUser(app.ctx),
        player.byDay,
      );
      zones.push({ id: third.zoneId, publicId: third.zone, adId });
    }
    if (player.usualViews !== null) {
      const first = new Date(dayMs - (daysOf(player) - 1) * DAY_MS);
      await giveHistory(app, place.websiteId, zones, { views: player.usualViews, before: first });
    }
    if (player.cleared) await clearSignal(app, place.zoneId, player.cleared);
    stands.push({
      player,
      isTwin,
      site,
      zones,
      websiteId: place.websiteId,
      views: 0,
      clicks: 0,
      orders: { sent: 0, counted: 0 },
      honest: new Set(),
    });
  }
  await app.refreshDelivery();
  return stands;
}

/** An operator has looked at this audience a month ago, and overruled a withdrawal that named this signal. */
async function clearSignal(app: App, zoneId: number, signal: Signal): Promise<void> {
  const at = later(app.ctx.now(), -30 * DAY_MS);
  await sql`
    with withdrawn as (
      insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
        values (${zoneId}, ${at}, ${later(at, HOUR_MS)}, ${at},
          ${JSON.stringify([{ signal, value: 1, bound: 2 }])}::jsonb)
        returning *)
    insert into withdrawals (zone_id, from_hour, until_hour, made_at, overrules, made_by, reason)
      select zone_id, from_hour, until_hour, made_at, id, 'operator', 'This is its audience.' from withdrawn`.execute(
    app.ctx.db,
  );
}

/** Four weeks of paid sales before the first day, with clicks that landed. */
async function giveHistory(
  app: App,
  websiteId: number,
  zones: Stand['zones'],
  { views, before }: { views: number; before: Date },
): Promise<void> {
  const [perImpression, perClick] = zones as [Stand['zones'][number], Stand['zones'][number]];
  const clicks = Math.max(1, Math.round(views * 0.005));
  await sql`insert into landing_hours (ad_id, hour, zone_id, clicks, landings)
    select ${perClick.adId}, ${before}::timestamptz - n * interval '1 day',
        ${perClick.id}, ${clicks}, ${clicks}
      from generate_series(1, 28) as n`.execute(app.ctx.db);
  await sql`insert into publisher_days (user_id, date, max_views, max_clicks, views, clicks)
    select user_id, (${before}::timestamptz at time zone 'utc')::date - n, ${views}, ${clicks}, ${views}, ${clicks}
      from websites, generate_series(1, 28) as n where id = ${websiteId}`.execute(app.ctx.db);
  await sql`insert into ad_performance (ad_id, date, impressions, clicks)
    select ad.id, (${before}::timestamptz at time zone 'utc')::date - n, ad.views, ad.clicks
      from generate_series(1, 28) as n,
        (values (${perImpression.adId}::integer, ${views}::integer, 0), (${perClick.adId}, 0, ${clicks}::integer))
          as ad (id, views, clicks)`.execute(app.ctx.db);
}

/** The publisher's ceiling on the day, or null if it has none. */
export async function ceilingOf(
  app: App,
  { websiteId }: Stand,
): Promise<{ views: number; clicks: number } | null> {
  const { rows } = await sql<{ views: number; clicks: number }>`
    select max_views as views, max_clicks as clicks
      from publisher_days d join websites w on w.user_id = d.user_id
      where w.id = ${websiteId} and max_views is not null
      order by date desc limit 1`.execute(app.ctx.db);
  return rows[0] ?? null;
}

export const daysOf = ({ days = 1 }: Player): number => days;

/**
 * Plays the day from `dayMs` on, after the earlier days of players who play several. `afterHour` is called at the end of
 * each hour, five minutes later.
 */
export async function playDay(
  app: App,
  clock: Clock,
  stands: readonly Stand[],
  options: { seed: number; size: number; dayMs: number; afterHour: () => Promise<void> },
): Promise<void> {
  const { seed, size, dayMs } = options;
  const days = Math.max(...stands.map(({ player }) => daysOf(player)));
  const startMs = dayMs - (days - 1) * DAY_MS;
  const { port } = app.fastify.server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true, maxSockets: IN_PARALLEL });
  const steps = new Map<number, (() => Promise<void>)[][]>();
  for (const stand of stands) {
    const { visits, attack, number, minSize } = stand.player;
    const random = randomOf(seed + 7919 * number);
    const part = Math.max(size, minSize ?? 0);
    const all = visits(random, part);
    for (const { address } of all) stand.honest.add(address);
    if (attack && !stand.isTwin) all.push(...attack(random, part));
    for (const visit of all) {
      const playedMs = (days - daysOf(stand.player)) * DAY_MS + visit.atMs;
      addSteps(steps, stand, { ...visit, atMs: playedMs }, { agent, port, startMs });
    }
  }
  for (let minute = 0; minute < days * 24 * 60; minute += 1) {
    clock.set(startMs + minute * MINUTE_MS);
    await inParallel(steps.get(minute) ?? []);
    if ((minute + 1) % 60 === 0) {
      await app.flushDelivery();
      clock.set(startMs + (minute + 1) * MINUTE_MS + 5 * MINUTE_MS);
      await options.afterHour();
    }
  }
  agent.destroy();
}

/** Runs the visits of a minute side by side, and the requests of each visit one after the other. */
async function inParallel(visits: readonly (() => Promise<void>)[][]): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let visit = visits[next++]; visit; visit = visits[next++]) for (const step of visit) await step();
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, work));
}

function addSteps(
  steps: Map<number, (() => Promise<void>)[][]>,
  stand: Stand,
  visit: Visit,
  { agent, port, startMs }: { agent: http.Agent; port: number; startMs: number },
): void {
  const call = async (
    method: string,
    path: string,
    request: Parameters<typeof headersOf>[2],
    afterMs: number,
    body?: object,
  ) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...headersOf(visit, stand.site, request),
      [TIME_HEADER]: String(Math.round(startMs + visit.atMs + afterMs)),
    };
    return await send(agent, port, method, path, headers, body);
  };
  let perImpression: ServedAd | undefined;
  let perClick: ServedAd | undefined;
  let perDay: ServedAd | undefined;
  const pathOf = (address: string) => new URL(address).pathname;
  const proofOf = (view: string) => (visit.laysOut ? renderProof(view) : '');
  const chain: { afterMs: number; run: () => Promise<void> }[] = [];
  const zones = stand.zones.map(({ publicId }) => publicId).join(',');
  chain.push({
    afterMs: 0,
    run: async () => {
      if (visit.loadsTag) await call('GET', `/api/serve/zone/${stand.zones[0]!.publicId}`, 'tag', 0);
      const { text } = await call('GET', `/api/serve/ads?z=${zones}`, 'ad', 0);
      [perImpression, perClick, perDay] = (JSON.parse(text) as { ads: ServedAd[] }).ads;
    },
  });
  const { renderedAfterMs, viewAfterMs, clickAfterMs } = visit;
  if (renderedAfterMs !== null) {
    chain.push({
      afterMs: renderedAfterMs,
      run: async () => {
        for (const ad of [perImpression, perClick, perDay])
          if (ad?.view)
            await call('POST', `${pathOf(ad.view)}?rendered=${proofOf(ad.view)}`, 'report', renderedAfterMs);
      },
    });
  }
  if (viewAfterMs !== null) {
    chain.push({
      afterMs: viewAfterMs,
      run: async () => {
        if (perImpression?.view) stand.views += 1;
        for (const ad of [perImpression, perClick, perDay])
          if (ad?.view) await call('POST', `${pathOf(ad.view)}?${proofOf(ad.view)}`, 'report', viewAfterMs);
      },
    });
  }
  if (clickAfterMs !== null) {
    chain.push({
      afterMs: clickAfterMs,
      run: async () => {
        if (!perClick?.click) return;
        stand.clicks += 1;
        const { location } = await call('GET', pathOf(perClick.click), 'click', clickAfterMs);
        const osid = location === null ? null : new URL(location).searchParams.get('osid');
        if (visit.lands && osid !== null)
          await call('POST', `/api/serve/landings/${osid}`, 'report', clickAfterMs + LANDING_MS);
        if (osid === null) return;
        for (let left = visit.fakesOrders ?? 0; left > 0; left -= 1) {
          stand.orders.sent += 1;
          const order = { osid, order: `${stand.site} ${stand.orders.sent}` };
          const reported = clickAfterMs + LANDING_MS;
          const { text } = await call('POST', '/api/serve/conversions', 'report', reported, order);
          if ((JSON.parse(text) as { counted?: boolean }).counted) stand.orders.counted += 1;
        }
      },
    });
  }
  const byMinute = Map.groupBy(chain, ({ afterMs }) => Math.floor((visit.atMs + afterMs) / MINUTE_MS));
  for (const [minute, each] of byMinute) {
    const runs = each.map(({ run }) => run);
    const known = steps.get(minute);
    if (known) known.push(runs);
    else steps.set(minute, [runs]);
  }
}

async function send(
  agent: http.Agent,
  port: number,
  method: string,
  path: string,
  headers: Headers,
  body?: object,
): Promise<{ status: number; location: string | null; text: string }> {
  return await new Promise((resolve, reject) => {
    const request = http.request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null, text }),
      );
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

/** The billed events of a player's ads so far. */
export async function billedOf(app: App, stand: Stand): Promise<{ views: number; clicks: number }> {
  const [perImpression, perClick] = stand.zones.map(({ adId }) => adId);
  const rows = await app.ctx.db
    .selectFrom('ads')
    .select(['id', 'totalImpressions', 'totalClicks'])
    .where('id', 'in', [perImpression!, perClick!])
    .execute();
  return {
    views: rows.find(({ id }) => id === perImpression)?.totalImpressions ?? 0,
    clicks: rows.find(({ id }) => id === perClick)?.totalClicks ?? 0,
  };
}

/** The events that the hourly job has withdrawn from a player's ads, and the signals that it named. */
export async function withdrawnOf(
  app: App,
  stand: Stand,
): Promise<{ views: number; clicks: number; signals: string[] }> {
  const [perImpression, perClick] = stand.zones.map(({ adId }) => adId);
  const { rows } = await sql<{ views: number; clicks: number }>`
    select coalesce(sum(n) filter (where ad_id = ${perImpression} and kind = 'view'), 0)::float8 as views,
        coalesce(sum(n) filter (where ad_id = ${perClick} and kind = 'click'), 0)::float8 as clicks
      from withdrawn_hours`.execute(app.ctx.db);
  const named = await sql<{ signal: string }>`
    select distinct s ->> 'signal' as signal
      from withdrawals w cross join lateral jsonb_array_elements(w.signals) as s
      where w.zone_id = any(${stand.zones.map(({ id }) => id)}) order by 1`.execute(app.ctx.db);
  return { ...rows[0]!, signals: named.rows.map(({ signal }) => signal) };
}

/** The events of the publisher's own visitors that were counted on the day and not withdrawn. */
export async function honestOf(
  app: App,
  { secret, dayMs }: { secret: string; dayMs: number },
  stand: Stand,
): Promise<{ views: number; clicks: number }> {
  const buckets = bucketsOf(secret, dayMs);
  const networks = [...new Set([...stand.honest].map((address) => buckets.network(address)))];
  const [perImpression, perClick] = stand.zones.map(({ adId }) => adId);
  const { rows } = await sql<{ views: number; clicks: number }>`
    select coalesce(sum(n - withdrawn) filter (where ad_id = ${perImpression} and kind = 'view'), 0)::float8 as views,
        coalesce(sum(n - withdrawn) filter (where ad_id = ${perClick} and kind = 'click'), 0)::float8 as clicks
      from traffic_clusters
      where hour >= ${new Date(dayMs)} and network = any (${networks})`.execute(app.ctx.db);
  return rows[0]!;
}

/** Whether the advertiser reads that there are more conversions than clicks. */
export async function isFlagged(app: App, stand: Stand): Promise<boolean> {
  const adId = stand.zones[1]!.adId;
  const ad = await app.ctx.db
    .selectFrom('ads')
    .select('userId')
    .where('id', '=', adId)
    .executeTakeFirstOrThrow();
  return (await resultsOf(app.ctx, { ref: { id: adId }, ownerId: ad.userId })).flagged;
}
