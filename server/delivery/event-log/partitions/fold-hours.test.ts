/** Old hours become days, and no figure of a day changes for anybody who reads it. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { chooseTimezone, countAt, seriesOf } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { foldHours } from './fold-hours.ts';

const START = new Date('2026-03-02T00:00:00Z');

const RANGE = { from: '2026-02-25', to: '2026-03-20' };
const PRODUCT = { pricingModel: 'per_impression', impressions: 5000, duration: null, price: '100.00' };

/** Views and clicks at each hour of ten days, and what only the hours know. */
async function deliver(timezones: { seller: string; buyer: string }) {
  server.clock.set(START);
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const { ad } = await makeLiveAd(seller, buyer, { product: PRODUCT });
  await chooseTimezone(seller, timezones.seller);
  await chooseTimezone(buyer, timezones.buyer);
  for (let hour = 0; hour < 240; hour += 2) {
    const at = later(START, hour * HOUR_MS + 60_000);
    await countAt(server.ctx, ad, at.toISOString(), 1 + (hour % 7), hour % 3 === 0 ? 1 : 0);
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n) values
      (date_trunc('hour', ${at}::timestamptz, 'utc'), ${ad.id}, ${ad.adZoneId}, 'decision', '', ${5 + hour}),
      (date_trunc('hour', ${at}::timestamptz, 'utc'), ${ad.id}, ${ad.adZoneId}, 'view', 'bot', ${1 + (hour % 5)}),
      (date_trunc('hour', ${at}::timestamptz, 'utc'), null, ${ad.adZoneId}, 'decision', '', 3)`.execute(
      server.ctx.db,
    );
  }
  server.clock.set(later(START, 90 * DAY_MS));
  const read = async () => {
    const counting = async (client: typeof seller, side: string) =>
      (await client.get(`/api/analytics/counting?side=${side}&from=${RANGE.from}&to=${RANGE.to}&step=day`))
        .body;
    return {
      seller: await seriesOf(seller, { side: 'seller', ...RANGE }),
      buyer: await seriesOf(buyer, { side: 'buyer', ...RANGE }),
      countedBySeller: await counting(seller, 'seller'),
      countedByBuyer: await counting(buyer, 'buyer'),
      zones: (await seller.get(`/api/analytics/zones?from=2026-03-04&to=2026-03-06`)).body,
      evidence: await daysOf(ad.id),
    };
  };
  return { ad, read };
}

/** The UTC days, as the evidence for a dispute and the comparison with the archive read them. */
async function daysOf(adId: number) {
  const { rows } = await sql`
    select (hour at time zone 'utc')::date::text as day, kind, reason, sum(n)::integer as n from delivery_hourly
      where ad_id = ${adId} group by 1, 2, 3 order by 1, 2, 3`.execute(server.ctx.db);
  return rows;
}

async function rowsOf(adZoneId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from delivery_hourly where zone_id = ${adZoneId}`.execute(server.ctx.db);
  return rows[0]!.n;
}

async function postAll(adId: number): Promise<void> {
  await sql`update ad_earnings set until = now() + interval '100 years' where ad_id = ${adId}`.execute(
    server.owner,
  );
}

const foldAgain = async () => {
  await sql`delete from job_hours where name = 'fold-hours'`.execute(server.ctx.db);
  let [folded, more] = [0, 0];
  do folded += more = await foldHours(server.ctx);
  while (more > 0);
  return folded;
};

const server = useOwnServer({ start: START });

// Proves SCALE-30
it('folds the hours of a day to one row, with the same figures for every day', async () => {
  const { ad, read } = await deliver({ seller: 'UTC', buyer: 'UTC' });
  await postAll(ad.id);
  const before = await read();
  expect(before.evidence.length).toBe(10 * 4);
  const rows = await rowsOf(ad.adZoneId);
  expect(await foldAgain()).toBeGreaterThan(0);
  // Ten days with counted and filtered views, clicks, and decisions with and without the ad.
  expect(await rowsOf(ad.adZoneId)).toBe(10 * 5);
  expect(rows).toBeGreaterThan(400);
  expect(await read()).toEqual(before);
  expect(await foldAgain()).toBe(0);
});

// Proves SCALE-30
it('keeps the days of the publisher’s and of the advertiser’s timezone apart', async () => {
  const { ad, read } = await deliver({ seller: 'Asia/Tokyo', buyer: 'America/Los_Angeles' });
  await postAll(ad.id);
  const before = await read();
  expect(before.seller.totals.impressions).toBeGreaterThan(300);
  await foldAgain();
  expect(await read()).toEqual(before);
  const { rows } = await sql<{ most: number }>`
    select max(n)::integer as most from (
      select count(*) as n from delivery_hourly where ad_id = ${ad.id} group by kind, reason, (hour at time zone 'utc')::date) as days`.execute(
    server.ctx.db,
  );
  // Midnight in UTC, in Tokyo and in Los Angeles.
  expect(rows[0]!.most).toBe(3);
});

it('goes on for everybody if the database does not know the timezone of one user, whose days are those of UTC', async () => {
  const { ad, read } = await deliver({ seller: 'Asia/Tokyo', buyer: 'Asia/Tokyo' });
  await postAll(ad.id);
  await sql`update user_settings set timezone = 'US/Pacific-New'
    where user_id = (select user_id from ads where id = ${ad.id})`.execute(server.owner);
  const before = await read();
  expect(before.buyer.timezone).toBe('UTC');
  expect(await foldAgain()).toBeGreaterThan(0);
  expect(await read()).toEqual(before);
});

// Proves SCALE-30
it('leaves the hours of the last 60 days, and those whose earnings are not posted yet', async () => {
  const { ad, read } = await deliver({ seller: 'UTC', buyer: 'UTC' });
  const rows = await rowsOf(ad.adZoneId);
  await foldAgain();
  expect(await rowsOf(ad.adZoneId)).toBe(rows);
  await postAll(ad.id);
  server.clock.set(later(START, 63 * DAY_MS));
  const before = await read();
  await foldAgain();
  // Three of the ten days are older than 60 days.
  const { rows: days } = await sql<{ day: string; n: number }>`
    select (hour at time zone 'utc')::date::text as day, count(*)::integer as n from delivery_hourly
      where ad_id = ${ad.id} and kind = 'decision' group by 1 order by 1`.execute(server.ctx.db);
  expect(days.map(({ n }) => n)).toEqual([1, 1, 1, 12, 12, 12, 12, 12, 12, 12]);
  expect(await read()).toEqual(before);
});

// Proves SCALE-30
it('may be run by several servers at once, and goes on after it was stopped', async () => {
  const { ad, read } = await deliver({ seller: 'Asia/Tokyo', buyer: 'UTC' });
  await postAll(ad.id);
  const before = await read();
  await sql`delete from job_hours where name = 'fold-hours'`.execute(server.ctx.db);
  await Promise.allSettled([foldHours(server.ctx), foldHours(server.ctx), foldHours(server.ctx)]);
  expect(await read()).toEqual(before);
  await foldAgain();
  expect(await read()).toEqual(before);
  expect(await rowsOf(ad.adZoneId)).toBeLessThan(120);
});

it('compares no hours that may be folded, neither as unusual ones nor as hours without the tag', async () => {
  server.clock.set(START);
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad } = await makeLiveAd(seller, buyer, { product: PRODUCT });
  // Six weeks in which each hour has 30 requests, 600 views and 3 clicks, and one strange hour in the last of them.
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
    select hour, ${ad.id}, ${ad.adZoneId}, kind, case when kind = 'click' and hour = ${later(START, 40 * DAY_MS)} then 90 else n end
      from generate_series(${START}::timestamptz, ${later(START, 42 * DAY_MS - HOUR_MS)}::timestamptz, '1 hour') as hour,
        (values ('decision', 30), ('view', 600), ('click', 3)) as each (kind, n)
      where not (kind = 'decision' and hour = ${later(START, 41 * DAY_MS)})`.execute(server.ctx.db);
  await postAll(ad.id);
  const read = async () => {
    const query = 'from=2026-03-02&to=2026-04-30';
    return {
      unusual: (await seller.get(`/api/analytics/unusual-hours?${query}`)).body as { hour: string }[],
      empty: (await seller.get(`/api/analytics/hours-without-tag?${query}`)).body as { hours: number },
    };
  };
  server.clock.set(later(START, 43 * DAY_MS));
  const fresh = await read();
  expect(fresh.unusual.map(({ hour }) => hour)).toEqual([later(START, 40 * DAY_MS).toISOString()]);
  expect(fresh.empty.hours).toBeGreaterThanOrEqual(1);
  server.clock.set(later(START, 110 * DAY_MS));
  await foldAgain();
  const { unusual, empty } = await read();
  expect(unusual).toEqual([]);
  expect(empty.hours).toBe(0);
});
