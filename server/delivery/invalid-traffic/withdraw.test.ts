/** The hourly comparison, its withdrawals, and the operator who overrules them. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Withdrawal } from '#domain/analytics/contract.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt, seriesOf } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { listWithdrawals, overruleWithdrawal } from './overrule.ts';
import { factsOf } from './store-facts.ts';
import { withdrawInvalidTraffic } from './withdraw.ts';

/** Each test has a day of its own, so that no other test's traffic is in its hours. */
let day = Date.UTC(2026, 2, 1);
const server = useOwnServer({ start: new Date(day) });

const at = (hour: number) => new Date(day + hour * HOUR_MS).toISOString();
const dayName = () => new Date(day).toISOString().slice(0, 10);

async function pair(product: Record<string, unknown>) {
  day += 3 * DAY_MS;
  server.clock.set(new Date(day));
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  return { seller, buyer, ...(await makeLiveAd(seller, buyer, { product })) };
}

/** The clusters of events of an hour: how many networks, browsers and delays they came from. */
async function traits(
  ad: { id: number; adZoneId: number },
  hour: number,
  n: number,
  [networks, browsers, delays]: [number, number, number],
): Promise<void> {
  await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
    select ${at(hour)}::timestamptz, ${ad.adZoneId}, ${ad.id}, 'view', i % ${networks}::integer, i % ${browsers}::integer,
        i % ${delays}::integer, count(*)
      from generate_series(1, ${n}::integer) as i
      group by 5, 6, 7`.execute(server.ctx.db);
}

/** A script at ten o'clock on 40 networks, with one browser and one delay. */
async function attack(ad: Ad, views: number, clicks = 0): Promise<void> {
  await countAt(server.ctx, ad, at(10), views, clicks);
  await traits(ad, 10, views, [40, 1, 1]);
  if (clicks > 0)
    await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      values (${at(10)}::timestamptz, ${ad.adZoneId}, ${ad.id}, 'click', 0, 0, -1, ${clicks})`.execute(
      server.ctx.db,
    );
  server.clock.set(new Date(day + 11 * HOUR_MS + 5 * 60_000));
}

async function adOf(ad: { id: number }) {
  return await server.ctx.db
    .selectFrom('ads')
    .select(['status', 'totalImpressions', 'totalClicks', 'endDate'])
    .where('id', '=', ad.id)
    .executeTakeFirstOrThrow();
}

const overrule = async (what: { id: number; by: string; reason: string }) =>
  await server.ctx.db.transaction().execute(async (tx) => await overruleWithdrawal(server.ctx, tx, what));

const query = () => ({ from: dayName(), to: dayName() });
async function listOf(client: Client, side: 'buyer' | 'seller', more = ''): Promise<Withdrawal[]> {
  const { from, to } = query();
  const answer = await client.get(`/api/analytics/withdrawals?side=${side}&from=${from}&to=${to}${more}`);
  expect(answer.status).toBe(200);
  return answer.body as Withdrawal[];
}
const countingOf = async (client: Client, side: 'buyer' | 'seller') => {
  const { from, to } = query();
  return (await client.get(`/api/analytics/counting?side=${side}&from=${from}&to=${to}&step=day`)).body
    .buckets[0];
};

describe('invalid traffic of a day', () => {
  // Proves SIVT-01, SIVT-03
  it('reduces the delivered quota, so that a completed ad resumes, and both sides see the hours and the reasons', async () => {
    const { seller, buyer, ad, zone } = await pair({
      pricingModel: 'per_impression',
      impressions: 300,
      duration: undefined,
    });
    await countAt(server.ctx, ad, at(4), 20);
    await traits(ad, 4, 20, [20, 1, 1]);
    await attack(ad, 280, 2);
    expect(await adOf(ad)).toMatchObject({ status: 'completed', totalImpressions: 300, totalClicks: 2 });
    const events = await server.ctx.db.selectFrom('adEvents').selectAll().where('adId', '=', ad.id).execute();
    const hours = await server.ctx.db
      .selectFrom('deliveryHourly')
      .selectAll()
      .where('adId', '=', ad.id)
      .execute();

    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await adOf(ad)).toEqual({ status: 'active', totalImpressions: 0, totalClicks: 0, endDate: null });
    // Events and figures are not rewritten.
    expect(
      await server.ctx.db.selectFrom('adEvents').selectAll().where('adId', '=', ad.id).execute(),
    ).toEqual(events);
    expect(
      await server.ctx.db.selectFrom('deliveryHourly').selectAll().where('adId', '=', ad.id).execute(),
    ).toEqual(hours);

    for (const [client, side] of [
      [buyer, 'buyer'],
      [seller, 'seller'],
    ] as const) {
      const [first, ...others] = await listOf(client, side);
      expect(others).toEqual([]);
      expect(first).toMatchObject({
        zone: zone.publicId,
        zoneName: 'Sidebar',
        from: new Date(day - 13 * HOUR_MS).toISOString(),
        until: at(11),
        views: 300,
        clicks: 2,
        overruled: null,
      });
      expect(first?.signals.map(({ signal }) => signal)).toEqual(['browser', 'delay']);
      expect(await countingOf(client, side)).toMatchObject({
        views: { counted: 0, uncounted: [{ reason: 'withdrawn', count: 300 }] },
        clicks: { counted: 0, uncounted: [{ reason: 'withdrawn', count: 2 }] },
      });
      const { buckets } = await seriesOf(client, { side, ...query() });
      expect(buckets[0]).toMatchObject({ impressions: 0, clicks: 0 });
    }
    expect((await buyer.get('/api/analytics/spending')).body).toMatchObject({
      totalImpressions: 0,
      impressionsThisMonth: 0,
    });
    const stranger = await server.signIn('both');
    expect(await listOf(stranger, 'seller')).toEqual([]);
    expect(
      (
        await stranger.get(
          `/api/analytics/withdrawals?side=seller&from=${dayName()}&to=${dayName()}&zone=${zone.publicId}`,
        )
      ).status,
    ).toBe(404);

    // Later hours of the same day are withdrawn by themselves, and nothing twice.
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);
    await countAt(server.ctx, ad, at(11), 40);
    await traits(ad, 11, 40, [40, 1, 1]);
    server.clock.set(new Date(day + 12 * HOUR_MS + 5 * 60_000));
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect((await listOf(buyer, 'buyer')).map(({ views }) => views)).toEqual([40, 300]);
    expect(await listOf(buyer, 'buyer', '&limit=1')).toHaveLength(1);
    expect(await adOf(ad)).toMatchObject({ status: 'active', totalImpressions: 0 });
  });

  // Proves SIVT-01
  it('does not withdraw the traffic of an audience that is special in one way', async () => {
    const { seller, ad } = await pair({
      pricingModel: 'per_impression',
      impressions: 1000,
      duration: undefined,
    });
    await countAt(server.ctx, ad, at(10), 400);
    // One browser, but delays as people cause them.
    await traits(ad, 10, 400, [60, 1, 6]);
    server.clock.set(new Date(day + 11 * HOUR_MS + 5 * 60_000));
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 400 });
    expect(await listOf(seller, 'seller')).toEqual([]);
  });

  // Proves SIVT-01
  it('moves the end of a per-day ad by the hours that were withdrawn', async () => {
    const { ad } = await pair({ duration: 5 });
    const before = (await adOf(ad)).endDate as Date;
    await attack(ad, 200);
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    const row = await adOf(ad);
    expect(row).toMatchObject({ status: 'active', totalImpressions: 0 });
    expect((row.endDate as Date).getTime() - before.getTime()).toBe(HOUR_MS);
    const { items } = await listWithdrawals(server.ctx, { limit: 1 });
    await overrule({ id: items[0]!.id, by: 'op@example.test', reason: 'A demo' });
    expect((await adOf(ad)).endDate).toEqual(before);
  });

  // Proves SIVT-01
  it('is withdrawn once, however many instances compare it at once', async () => {
    const { ad } = await pair({ pricingModel: 'per_impression', impressions: 1000, duration: undefined });
    await attack(ad, 200);
    const made = await Promise.all([1, 2, 3, 4].map(async () => await withdrawInvalidTraffic(server.ctx)));
    expect(made.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 0 });
  });
});

// Proves SIVT-02
it('the click-through rate includes the events beyond the ceiling of a new publisher that are in a fair share', async () => {
  const { ad } = await pair({ pricingModel: 'per_click', clicks: 1000, duration: undefined });
  await countAt(server.ctx, ad, at(10), 400, 5);
  await server.ctx.db
    .insertInto('deliveryHourly')
    .values({
      hour: new Date(at(10)),
      adId: ad.id,
      zoneId: ad.adZoneId,
      kind: 'click',
      reason: 'ceiling',
      n: 30,
    })
    .execute();
  const [facts] = await factsOf(server.ctx.db, 'zone', [ad.adZoneId], new Date(at(12)));
  expect(facts).toMatchObject({ counted: { views: 400, clicks: 5 }, passed: { views: 400, clicks: 35 } });

  // The fair share of a network took them, although no counter had them.
  await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n, withdrawn)
    values (${at(10)}::timestamptz, ${ad.adZoneId}, ${ad.id}, 'click', 0, 0, -1, 30, 30)`.execute(
    server.ctx.db,
  );
  const [left] = await factsOf(server.ctx.db, 'zone', [ad.adZoneId], new Date(at(12)));
  expect(left).toMatchObject({ passed: { views: 400, clicks: 5 } });
});

describe('clicks that never land', () => {
  /** Measured clicks of an ad in hours of the day, and how many of them landed. */
  async function clicked(ad: Ad, hours: readonly number[], clicks: number, landings: number): Promise<void> {
    await server.ctx.db
      .insertInto('landingHours')
      .values(
        hours.map((hour) => ({
          adId: ad.id,
          zoneId: ad.adZoneId,
          hour: new Date(at(hour)),
          clicks,
          landings,
        })),
      )
      .execute();
  }
  /** One browser, but delays as people cause them. */
  async function suspicious(ad: Ad): Promise<void> {
    await countAt(server.ctx, ad, at(10), 400, 12);
    await traits(ad, 10, 400, [60, 1, 6]);
    server.clock.set(new Date(day + 11 * HOUR_MS + 5 * 60_000));
  }
  const PER_CLICK = { pricingModel: 'per_click', clicks: 1000, duration: undefined };
  const signalsOf = async (seller: Client) =>
    (await listOf(seller, 'seller')).flatMap(({ signals }) => signals.map(({ signal }) => signal));

  // Proves EVID-06
  it('complete the evidence if the page reports landings from another publisher', async () => {
    const { seller, buyer, ad } = await pair(PER_CLICK);
    const { ad: elsewhere } = await makeLiveAd(await server.signIn('seller'), buyer, { product: PER_CLICK });
    await suspicious(ad);
    await clicked(ad, [10], 12, 0);
    await clicked(elsewhere, [7, 8, 9, 10, 11], 6, 5);
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await signalsOf(seller)).toEqual(['browser', 'landings']);
    expect((await listOf(seller, 'seller'))[0]!.signals[1]).toEqual({
      signal: 'landings',
      value: 0,
      bound: 0.1667,
    });
  });

  // Proves EVID-06
  it('complete it if the page reported landings of this publisher before, and goes on to report some', async () => {
    const { seller, ad } = await pair(PER_CLICK);
    await suspicious(ad);
    await clicked(ad, [-30, -29, -28], 10, 8);
    await clicked(ad, [9, 11], 1, 1);
    await clicked(ad, [10], 30, 0);
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await signalsOf(seller)).toEqual(['browser', 'landings']);
  });

  // Proves EVID-06
  it('are no evidence if the page has never reported landings, has stopped, or reports none of other publishers', async () => {
    const { seller, buyer, ad } = await pair(PER_CLICK);
    // Another advertiser's page reports landings.
    const { ad: foreign } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), {
      product: PER_CLICK,
    });
    // Another page of this advertiser reports landings.
    const { ad: otherPage } = await makeLiveAd(await server.signIn('seller'), buyer, {
      product: PER_CLICK,
      ad: { targetUrl: 'https://tea.example/' },
    });
    await suspicious(ad);
    await clicked(ad, [10], 30, 0);
    for (const each of [foreign, otherPage]) await clicked(each, [7, 8, 9, 10, 11], 6, 6);
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);

    // The script worked before, and was removed before these clicks came.
    await clicked(ad, [-30, -29, -28], 10, 8);
    await clicked(ad, [4], 1, 1);
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);

    // The usual rate leaves out this publisher's own websites in the same hours.
    const { ad: sibling } = await makeLiveAd(seller, buyer, { product: PER_CLICK });
    await clicked(sibling, [8, 9, 11], 10, 10);
    await server.ctx.db
      .deleteFrom('landingHours')
      .where('hour', '<', new Date(at(0)))
      .execute();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);
  });
});

describe('the operator', () => {
  // Proves SIVT-04
  it('restores the withdrawn traffic, with a reason, and never beyond the goal', async () => {
    const { seller, buyer, ad } = await pair({
      pricingModel: 'per_impression',
      impressions: 300,
      duration: undefined,
    });
    await attack(ad, 280);
    await withdrawInvalidTraffic(server.ctx);
    const [withdrawal] = await listOf(seller, 'seller');
    const id = withdrawal!.id;
    expect((await listWithdrawals(server.ctx, { open: true })).items[0]).toMatchObject({ id, views: 280 });
    // In the meantime, the ad continues to run.
    await countAt(server.ctx, ad, at(11.5), 100);
    const row = await overrule({
      id,
      by: 'op@example.test',
      reason: ' A class used it. ',
    });
    expect(row).toMatchObject({ id, overruledBy: 'op@example.test', overruledReason: 'A class used it.' });
    expect(await adOf(ad)).toMatchObject({ status: 'completed', totalImpressions: 300 });
    for (const [client, side] of [
      [buyer, 'buyer'],
      [seller, 'seller'],
    ] as const) {
      expect((await listOf(client, side))[0]).toMatchObject({
        id,
        overruled: { at: expect.any(String), reason: 'A class used it.' },
      });
      expect((await countingOf(client, side)).views).toEqual({
        counted: 300,
        uncounted: [{ reason: 'withdrawn', count: 80 }],
      });
    }
    expect((await listWithdrawals(server.ctx, { open: true })).items.map((each) => each.id)).not.toContain(
      id,
    );
    // The next comparison does not withdraw the same hours again.
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);
  });

  // Proves SIVT-04, SIVT-05
  it('is refused without a reason, twice, for an unknown withdrawal and for a finished month', async () => {
    const { ad } = await pair({ pricingModel: 'per_impression', impressions: 300, duration: undefined });
    await attack(ad, 200);
    await withdrawInvalidTraffic(server.ctx);
    const { id } = (await listWithdrawals(server.ctx, { limit: 1 })).items[0]!;
    const by = 'op@example.test';
    const before = await everything(ad);
    const attempt = async (what: { id: number; reason: string }) => await overrule({ by, ...what });
    await expect(attempt({ id, reason: '  ' })).rejects.toMatchObject({ status: 400 });
    await expect(attempt({ id, reason: 'x'.repeat(501) })).rejects.toMatchObject({ status: 400 });
    await expect(attempt({ id: id + 1000, reason: 'No' })).rejects.toMatchObject({ status: 404 });
    const now = server.clock.now();
    server.clock.advance(60 * DAY_MS);
    await expect(attempt({ id, reason: 'Late' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('month'),
    });
    await expect(withdraw(ad.adZoneId)).rejects.toThrow('the month of these hours is finished');
    server.clock.set(now);
    expect(await everything(ad)).toEqual(before);

    const results = await Promise.allSettled(
      [1, 2, 3].map(async () => await attempt({ id, reason: 'A class' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(attempt({ id, reason: 'Again' })).rejects.toMatchObject({ status: 409 });
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 200 });
  });
});

async function everything(ad: Ad) {
  return {
    ad: await adOf(ad),
    hours: await server.ctx.db.selectFrom('withdrawnHours').selectAll().where('adId', '=', ad.id).execute(),
    performance: await server.ctx.db
      .selectFrom('adPerformance')
      .selectAll()
      .where('adId', '=', ad.id)
      .execute(),
  };
}

async function withdraw(zoneId: number): Promise<void> {
  await sql`select withdraw_traffic(${server.clock.now()}, ${zoneId}, ${at(0)}, ${at(23)},
    '[{"signal": "network", "value": 1, "bound": 30}]')`.execute(server.ctx.db);
}

describe('the database', () => {
  // Proves SIVT-05
  it('refuses an adjustment below zero as a whole', async () => {
    const { ad } = await pair({ pricingModel: 'per_impression', impressions: 300, duration: undefined });
    await countAt(server.ctx, ad, at(9), 50);
    await attack(ad, 100);
    // The counter is too low, as after a mistaken edit by hand.
    await sql`update ads set total_impressions = 80 where id = ${ad.id}`.execute(server.ctx.db);
    const before = await everything(ad);
    await expect(withdraw(ad.adZoneId)).rejects.toMatchObject({ code: '23514' });
    expect(await everything(ad)).toEqual(before);
  });

  // Proves SIVT-05
  it('refuses every change to an adjustment', async () => {
    const { ad } = await pair({ pricingModel: 'per_impression', impressions: 300, duration: undefined });
    await attack(ad, 100);
    await withdrawInvalidTraffic(server.ctx);
    for (const change of [
      'update withdrawals set made_at = made_at',
      'delete from withdrawals',
      'truncate withdrawn_hours',
      'update withdrawn_hours set n = 1',
      'delete from withdrawn_hours',
    ]) {
      await expect(sql.raw(change).execute(server.owner)).rejects.toThrow('append-only');
    }
  });

  // Proves SIVT-05
  it('lets a completed ad resume only if its counters shrink', async () => {
    const { ad } = await pair({ pricingModel: 'per_impression', impressions: 10, duration: undefined });
    await countAt(server.ctx, ad, at(1), 10);
    expect(await adOf(ad)).toMatchObject({ status: 'completed' });
    await expect(
      sql`update ads set status = 'active', end_date = null where id = ${ad.id}`.execute(server.ctx.db),
    ).rejects.toThrow('an ad cannot go from completed to active');
  });
});

// Proves SIVT-06
it('the clusters of a busy zone are deleted after three days, those of a zone compared over a week after eight', async () => {
  const { ad } = await pair({ duration: 30 });
  const { ad: quiet } = await pair({ duration: 30 });
  await traits(ad, 1, 40, [5, 5, 5]);
  await traits(quiet, 1, 10, [5, 5, 5]);
  const leftAfter = async (days: number) => {
    server.clock.set(new Date(day + days * DAY_MS + 2 * HOUR_MS));
    await withdrawInvalidTraffic(server.ctx);
    const rows = await server.ctx.db.selectFrom('trafficClusters').select('zoneId').execute();
    return [ad, quiet].map(({ adZoneId }) => rows.filter(({ zoneId }) => zoneId === adZoneId).length);
  };
  expect(await leftAfter(2)).toEqual([5, 5]);
  expect(await leftAfter(3)).toEqual([0, 5]);
  expect(await leftAfter(8)).toEqual([0, 0]);
});

describe('what is withdrawn', () => {
  const PER_VIEW = { pricingModel: 'per_impression', impressions: 2000, duration: undefined };
  const at11 = () => server.clock.set(new Date(day + 11 * HOUR_MS + 5 * 60_000));

  // Proves SIVT-10
  it('is what a few networks have beyond their fair share, and the views of an audience stay', async () => {
    const { seller, ad } = await pair(PER_VIEW);
    await countAt(server.ctx, ad, at(10), 700);
    // An audience of 100 networks, and a rival with 600 requests from five others of them.
    await traits(ad, 10, 100, [100, 6, 8]);
    await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select ${at(10)}::timestamptz, ${ad.adZoneId}, ${ad.id}, 'view', 1000 + i, 99, 3, 120
        from generate_series(1, 5) as i`.execute(server.ctx.db);
    at11();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 140 });
    expect((await listOf(seller, 'seller'))[0]?.signals).toEqual([{ signal: 'share', value: 120, bound: 8 }]);
  });

  // Proves SIVT-01
  it('is the browser and the delay that look alike, and not the hour', async () => {
    const { ad } = await pair(PER_VIEW);
    await countAt(server.ctx, ad, at(10), 700);
    await traits(ad, 10, 100, [100, 6, 8]);
    await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select ${at(10)}::timestamptz, ${ad.adZoneId}, ${ad.id}, 'view', 1000 + i, 99, 30, 6
        from generate_series(1, 100) as i`.execute(server.ctx.db);
    at11();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 100 });
  });

  // Proves SIVT-04
  it('is not withdrawn from a website for which the operator has cleared the signal', async () => {
    const { seller, ad } = await pair(PER_VIEW);
    await countAt(server.ctx, ad, at(10), 200);
    await traits(ad, 10, 200, [1, 6, 8]);
    at11();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    const [withdrawal] = await listOf(seller, 'seller');
    await overrule({ id: withdrawal!.id, by: 'op@example.test', reason: 'A university' });
    await countAt(server.ctx, ad, at(11), 200);
    await traits(ad, 11, 200, [1, 6, 8]);
    server.clock.set(new Date(day + 12 * HOUR_MS + 5 * 60_000));
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(0);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 400 });
  });

  let visits = 0;
  /** Views and clicks of networks in an hour: `n` views of each, of which `clicks` are clicked. */
  async function visited(
    ad: Ad,
    hour: number,
    { from, networks, n, clicks = 0 }: { from: number; networks: number; n: number; clicks?: number },
  ): Promise<void> {
    // The same moment would be the same event.
    visits += 1;
    await countAt(server.ctx, ad, at(hour + visits / 3600), networks * n, networks * clicks);
    await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select ${at(hour)}::timestamptz, ${ad.adZoneId}, ${ad.id}, kind, ${from}::integer + i, i % 7,
          case kind when 'view' then i % 9 else -1 end, of_kind
        from generate_series(1, ${networks}::integer) as i,
          (values ('view', ${n}::integer), ('click', ${clicks}::integer)) as e (kind, of_kind)
        where of_kind > 0`.execute(server.ctx.db);
  }

  // Proves SIVT-04
  it('counts again as a whole when the operator overrules one of several withdrawals for the same reason', async () => {
    const { seller, ad } = await pair(PER_VIEW);
    await visited(ad, 4, { from: 0, networks: 20, n: 1 });
    await sql`select withdraw_traffic(${server.clock.now()}, ${ad.adZoneId}, ${at(4)}, ${at(5)},
      '[{"signal": "network", "value": 1, "bound": 30}, {"signal": "tag", "value": 0, "bound": 0.02}]')`.execute(
      server.ctx.db,
    );
    for (const hour of [10, 11, 12]) {
      await visited(ad, hour, { from: 9000, networks: 1, n: 100 });
      server.clock.set(new Date(day + (hour + 1) * HOUR_MS + 5 * 60_000));
      expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    }
    const [, middle] = await listOf(seller, 'seller');
    await overrule({ id: middle!.id, by: 'op@example.test', reason: 'A university' });
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 300 });
    const { items } = await listWithdrawals(server.ctx, { open: true });
    const open = items.filter(({ zoneId }) => zoneId === ad.adZoneId);
    expect(open.map(({ signals }) => signals.map(({ signal }) => signal))).toEqual([['network', 'tag']]);
  });

  // Proves SIVT-10
  it('leaves a network its fair share on each day', async () => {
    const { ad } = await pair(PER_VIEW);
    for (const hour of [10, 34]) {
      for (const each of [0, 1, 2]) await visited(ad, hour + each, { from: 9000, networks: 1, n: 4 });
      await visited(ad, hour, { from: 100 * hour, networks: 60, n: 1 });
      for (const each of [1, 2, 3]) {
        server.clock.set(new Date(day + (hour + each) * HOUR_MS + 5 * 60_000));
        await withdrawInvalidTraffic(server.ctx);
      }
    }
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 2 * (60 + 8) });
  });

  // Proves SIVT-10
  it('does not take the networks of two keys for more networks', async () => {
    const { ad } = await pair(PER_VIEW);
    // The key of the networks changes at the next Thursday, 00:00 UTC.
    day += (7 - ((day / DAY_MS) % 7)) * DAY_MS;
    for (const [hour, from] of [
      [-2, 0],
      [1, 100],
    ] as const)
      await visited(ad, hour, { from, networks: 9, n: 10 });
    server.clock.set(new Date(day + 2 * HOUR_MS + 5 * 60_000));
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 2 * 9 * 3 });
  });

  // Proves SIVT-01
  it('leaves all honest views to the advertiser whose own network made the traffic, so that none is shown again for free', async () => {
    const { ad } = await pair({ ...PER_VIEW, impressions: 160 });
    await visited(ad, 9, { from: 0, networks: 60, n: 1 });
    await visited(ad, 10, { from: 1000, networks: 1, n: 100 });
    expect(await adOf(ad)).toMatchObject({ status: 'completed', totalImpressions: 160 });
    at11();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    // The advertiser pays for eight views of the own network.
    expect(await adOf(ad)).toMatchObject({ status: 'active', totalImpressions: 60 + 8 });
  });

  // Proves SIVT-10
  it('is what a network clicks beyond two clicks, before the click-through rate is compared', async () => {
    const { seller, buyer, ad } = await pair({ ...PER_VIEW, pricingModel: 'per_click', clicks: 100 });
    const { ad: elsewhere } = await makeLiveAd(await server.signIn('seller'), buyer, {
      product: { ...PER_VIEW, pricingModel: 'per_click', clicks: 1000 },
    });
    const market: Ad[] = [];
    for (const _ of [1, 2, 3]) {
      market.push(
        (await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'), { product: PER_VIEW }))
          .ad,
      );
    }
    for (const other of market) await visited(other, 10, { from: 2000, networks: 200, n: 2 });
    // Honest views, and a click of every hundredth reader. The advertiser clicks from two networks and reports no landing.
    await visited(ad, 10, { from: 0, networks: 200, n: 2 });
    await visited(ad, 10, { from: 500, networks: 2, n: 1, clicks: 1 });
    await visited(ad, 10, { from: 1000, networks: 2, n: 7, clicks: 7 });
    await server.ctx.db
      .insertInto('landingHours')
      .values([
        { adId: ad.id, zoneId: ad.adZoneId, hour: new Date(at(10)), clicks: 16, landings: 0 },
        ...[9, 10, 11].map((hour) => ({
          adId: elsewhere.id,
          zoneId: elsewhere.adZoneId,
          hour: new Date(at(hour)),
          clicks: 10,
          landings: 9,
        })),
      ])
      .execute();
    at11();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 416, totalClicks: 2 + 2 * 2 });
    expect((await listOf(seller, 'seller'))[0]?.signals).toEqual([
      { signal: 'clickShare', value: 7, bound: 2 },
    ]);
  });

  // Proves SIVT-11
  it('is found over a week for a zone with fewer than 30 views a day', async () => {
    const { ad } = await pair(PER_VIEW);
    for (const days of [-4, -3, -2, -1, 0]) {
      await countAt(server.ctx, ad, at(24 * days + 10), 14);
      await traits(ad, 24 * days + 10, 14, [1, 6, 8]);
    }
    at11();
    expect(await withdrawInvalidTraffic(server.ctx)).toBe(1);
    expect(await adOf(ad)).toMatchObject({ totalImpressions: 0 });
  });
});
