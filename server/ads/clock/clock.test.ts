/** How pauses and silent days move the end of per-day ads. */
import { sql } from 'kysely';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { beginPayment, CARD } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { countWaiting, lockAdForTest } from '#server/testing/database/locks.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '#server/testing/story.ts';
import { extendForSilentDays } from './clock.ts';
import { completeDueAds } from '../life/complete.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});

/** The server's context with its clock set to `instant`. */
const at = (instant: Date): Context => ({ ...server.ctx, now: () => instant });
const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;
const rowOf = async ({ id }: Ad) =>
  await server.ctx.db
    .selectFrom('ads')
    .select(['status', 'endDate'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const endOf = async (ad: Ad) => (await rowOf(ad)).endDate as Date;
const startOf = (ad: Ad) => new Date(ad.startDate as string);

async function setActive(zone: AdZone, isActive: boolean, instant: Date): Promise<AdZone> {
  const who = { id: seller.user.id, role: 'seller' } as const;
  return await changeZone(at(instant), who, { params: { ref: { id: zone.id } }, body: { isActive } });
}

/** Runs both sweeps in the order in which the worker runs them every minute. */
async function sweep(instant: Date): Promise<{ added: number; completed: number }> {
  const added = await extendForSilentDays(at(instant), instant);
  return { added, completed: await completeDueAds(at(instant), instant) };
}

const liveFor = async (days: number) => await makeLiveAd(seller, buyer, { product: { duration: days } });

/** Adds one decision for the zone in each of `hours` hours from `from` on, valid unless `reason` is set. */
async function addRequests(zone: AdZone, from: Date, hours: number, reason = ''): Promise<void> {
  await sql`
    insert into delivery_hourly (hour, zone_id, kind, reason, n)
      select date_trunc('hour', ${from}::timestamptz) + hour * interval '1 hour', ${zone.id}, 'decision', ${reason}, 1
        from generate_series(0, ${hours - 1}::integer) as hour`.execute(server.ctx.db);
}

/** Completes all live ads, so that the sweeps find none of other tests. */
async function endOthers(): Promise<void> {
  await sql`update ads set status = 'completed', end_date = start_date where status = 'active'`.execute(
    server.ctx.db,
  );
}

describe('a pause of the zone', () => {
  // Proves DEL-44
  it('moves the end of per-day ads by exactly the length of the pause', async () => {
    const { zone, ad } = await liveFor(3);
    const start = startOf(ad);
    await addRequests(zone, start, 24 * 20);
    const from = later(start, DAY_MS + 12_345);
    const to = later(start, 9 * DAY_MS + 678);
    const paused = await setActive(zone, false, from);
    expect(paused.pausedAt).toBe(from.toISOString());
    expect(await read(ad)).toMatchObject({ status: 'active', pausedAt: from.toISOString() });
    // This is long past the ad's original end.
    expect(await sweep(later(start, 8 * DAY_MS))).toEqual({ added: 0, completed: 0 });

    expect((await setActive(zone, true, to)).pausedAt).toBeNull();
    const end = later(start, 3 * DAY_MS + to.getTime() - from.getTime());
    expect(await read(ad)).toMatchObject({ endDate: end.toISOString(), pausedAt: null });
    expect(await sweep(later(end, -1))).toEqual({ added: 0, completed: 0 });
    expect(await sweep(end)).toEqual({ added: 0, completed: 1 });
  });

  // Proves DEL-44
  it('moves the end only once for concurrent resumes, and not at all for a rename', async () => {
    const { zone, ad } = await liveFor(5);
    const start = startOf(ad);
    await setActive(zone, false, later(start, HOUR_MS));
    await setActive(zone, false, later(start, 2 * HOUR_MS));
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { name: 'Renamed' })).status).toBe(200);
    await Promise.all(Array.from({ length: 5 }, () => setActive(zone, true, later(start, 4 * HOUR_MS))));
    expect(await endOf(ad)).toEqual(later(start, 5 * DAY_MS + 3 * HOUR_MS));
  });

  // Proves DEL-44
  it('extends an ad paid during the pause from its start, and does not extend an ad that had ended', async () => {
    const website = await makeWebsite(seller);
    const zone = await makeZone(seller, website);
    const product = await makeProduct(seller, zone, { duration: 2 });
    const early = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
    const late = await approve(seller, await makeAd(buyer, product));
    const from = later(startOf(early), 3 * DAY_MS);
    // Payments begin only while the zone sells. One that has begun may end during the pause.
    const { clientSecret } = (await beginPayment(buyer, late)).body as { clientSecret: string };
    await setActive(zone, false, from);
    server.clock.set(later(from, 5 * HOUR_MS));
    const { paymentIntentId } = (await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD })).body;
    const paid: Ad = (await buyer.post('/api/payment-success', { paymentIntentId })).body.ad;
    expect((await read(paid)).pausedAt).toBe(paid.startDate);
    const to = later(startOf(paid), 10 * HOUR_MS);
    await setActive(zone, true, to);
    expect(await endOf(paid)).toEqual(later(to, 2 * DAY_MS));
    expect(await endOf(early)).toEqual(later(startOf(early), 2 * DAY_MS));
    await endOthers();
  });

  // Proves DEL-44
  it('changes neither quota ads nor the ledger', async () => {
    const { zone, ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1000 },
    });
    const ledger = async () =>
      (await sql<{ n: string }>`select count(*) as n from ledger_postings`.execute(server.ctx.db)).rows;
    const before = await ledger();
    await setActive(zone, false, later(startOf(ad), HOUR_MS));
    await setActive(zone, true, later(startOf(ad), DAY_MS));
    expect(await read(ad)).toMatchObject({ status: 'active', endDate: null, pausedAt: null });
    expect(await ledger()).toEqual(before);
  });

  // Proves DEL-44
  it('can end while one of its campaigns is counted to its goal', async () => {
    const { zone, ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1 },
    });
    const { db } = server.ctx;
    await setActive(zone, false, later(startOf(ad), HOUR_MS));
    // Counting waits for the ad first, and the end of the pause behind it.
    const lock = await lockAdForTest(db, ad.id);
    const counted = countAt(server.ctx, ad, later(startOf(ad), 2 * HOUR_MS).toISOString(), 1);
    await expect.poll(() => countWaiting(db)).toBe(1);
    const resumed = setActive(zone, true, later(startOf(ad), DAY_MS));
    await expect.poll(() => countWaiting(db)).toBe(2);
    await lock.release();
    await Promise.all([counted, resumed]);
    expect(await read(ad)).toMatchObject({ status: 'completed', totalImpressions: 1 });
  });

  // Proves DEL-44
  it('gives a per-day ad exactly the time it bought, for any series of pauses', async () => {
    await endOthers();
    const step = fc.record({
      minutes: fc.integer({ min: 1, max: 3000 }),
      act: fc.constantFrom('toggle', 'sweep'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { zone, ad } = await liveFor(2);
        let now = startOf(ad);
        await addRequests(zone, now, 24 * 60);
        let active = true;
        let shown = 0;
        const advance = async (ms: number) => {
          const end = await endOf(ad);
          if (active) shown += Math.max(0, Math.min(now.getTime() + ms, end.getTime()) - now.getTime());
          now = later(now, ms);
        };
        const isOver = async () => (await rowOf(ad)).status === 'completed';
        for (const { minutes, act } of steps) {
          await advance(minutes * MINUTE_MS + 7);
          if (act === 'toggle') {
            active = !active;
            await setActive(zone, active, now);
          } else {
            await sweep(now);
            expect(await isOver()).toBe(shown === 2 * DAY_MS);
          }
        }
        if (!active) await setActive(zone, (active = true), now);
        await advance(3 * DAY_MS);
        await sweep(now);
        expect(await isOver()).toBe(true);
        expect(shown).toBe(2 * DAY_MS);
      }),
      { numRuns: 15 },
    );
  });
});

describe('a silent day', () => {
  // Proves DEL-45
  it('extends the ad once for each day without a valid ad request, and not for a day with one', async () => {
    const { zone, ad } = await liveFor(3);
    const start = startOf(ad);
    const day = (count: number) => later(start, count * DAY_MS);
    expect((await sweep(later(day(1), -1))).added).toBe(0);
    const swept = await Promise.all([1, 2, 3].map(() => sweep(day(1))));
    expect(swept.reduce((sum, { added }) => sum + added, 0)).toBe(1);
    expect(await read(ad)).toMatchObject({ endDate: day(4).toISOString(), silentDays: 1 });
    // A bot's request does not count as an ad request.
    await addRequests(zone, later(day(1), 3 * HOUR_MS), 1, 'bot');
    expect((await sweep(day(2))).added).toBe(1);
    expect(await read(ad)).toMatchObject({ endDate: day(5).toISOString(), silentDays: 2 });

    await addRequests(zone, later(day(2), 23 * HOUR_MS), 1);
    expect((await sweep(day(3))).added).toBe(0);
    expect(await read(ad)).toMatchObject({ endDate: day(5).toISOString(), silentDays: 0 });
    await addRequests(zone, later(day(3), 2 * HOUR_MS), 24 + 12);
    expect(await sweep(day(5))).toEqual({ added: 0, completed: 1 });
  });

  // Proves DEL-45
  it('extends the ad for its silent last day and for days that the sweep missed, before completing it', async () => {
    const { zone, ad } = await liveFor(2);
    const start = startOf(ad);
    await addRequests(zone, start, 12);
    expect(await sweep(later(start, 2 * DAY_MS))).toEqual({ added: 1, completed: 0 });
    expect(await sweep(later(start, 9 * DAY_MS))).toEqual({ added: 7, completed: 0 });
    expect(await endOf(ad)).toEqual(later(start, 10 * DAY_MS));
    await endOthers();
  });

  // Proves DEL-45
  it('does not extend the ad twice when a zone without requests is also paused', async () => {
    const { zone, ad } = await liveFor(7);
    const start = startOf(ad);
    const hour = (count: number) => later(start, count * HOUR_MS);
    await setActive(zone, false, hour(10));
    expect((await sweep(hour(60))).added).toBe(0);
    await setActive(zone, true, hour(60));
    expect(await endOf(ad)).toEqual(hour(7 * 24 + 50));
    // Ten hours of the day had passed without an ad request when the zone was paused, so 14 are left.
    expect((await sweep(hour(73))).added).toBe(0);
    expect((await sweep(hour(74))).added).toBe(1);
    expect(await endOf(ad)).toEqual(hour(8 * 24 + 50));
    await endOthers();
  });

  // Proves DEL-45
  it('is found however often the zone is paused', async () => {
    const { zone, ad } = await liveFor(3);
    const start = startOf(ad);
    const hour = (count: number) => later(start, count * HOUR_MS);
    // Each day has one hour less than 24 before its pause of an hour.
    for (let day = 0; day < 6; day++) {
      await setActive(zone, false, hour(24 * day + 23));
      await setActive(zone, true, hour(24 * (day + 1)));
      await sweep(hour(24 * (day + 1)));
    }
    // 6 hours of pauses, and 138 hours of the ad's clock, which are 5 silent days and 18 hours.
    expect(await read(ad)).toMatchObject({ status: 'active', silentDays: 5 });
    expect(await endOf(ad)).toEqual(hour((3 + 5) * 24 + 6));
    await endOthers();
  });

  // Proves DEL-45
  it('begins anew after a pause if the day had an ad request before', async () => {
    const { zone, ad } = await liveFor(3);
    const start = startOf(ad);
    const hour = (count: number) => later(start, count * HOUR_MS);
    await addRequests(zone, hour(2), 1);
    await setActive(zone, false, hour(10));
    await setActive(zone, true, hour(20));
    expect((await sweep(hour(43))).added).toBe(0);
    expect((await sweep(hour(44))).added).toBe(1);
    expect(await endOf(ad)).toEqual(hour(4 * 24 + 10));
    await endOthers();
  });
});

it('e-mails both sides about a pause, its end, and the first of several silent days', async () => {
  const publisher = await server.signIn('seller');
  const advertiser = await server.signIn('buyer');
  const { zone, ad } = await makeLiveAd(publisher, advertiser, { product: { duration: 3 } });
  const start = startOf(ad);
  const mailsTo = async (side: Client) => await mailTo(server.ctx, side.user.email);
  await publisher.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await publisher.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  await sweep(later(start, DAY_MS + HOUR_MS));
  await sweep(later(start, 2 * DAY_MS + HOUR_MS));
  for (const side of [publisher, advertiser]) {
    const kinds = (await mailsTo(side)).map(({ kind }) => kind);
    expect(kinds.slice(-3)).toEqual(['ad-paused', 'ad-resumed', 'ad-silent']);
    const [paused, resumed, silent] = (await mailsTo(side)).slice(-3).map(({ text }) => text);
    expect(paused).toContain('end date moves by the length of the pause');
    expect(resumed).toMatch(/now runs until \w+ \d+, \d{4}, \d+:\d\d [AP]M UTC/);
    expect(silent).toContain('one day for each day without ad requests');
  }
});

it('limits notices when a publisher keeps pausing and resuming a zone, and still extends the ad correctly', async () => {
  const strict = await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '1' } }));
  const publisher = await strict.signIn('seller');
  const advertiser = await strict.signIn('buyer');
  const { zone, ad } = await makeLiveAd(publisher, advertiser, { product: { duration: 3 } });
  const who = { id: publisher.user.id, role: 'seller' } as const;
  let now = startOf(ad);
  for (let flick = 1; flick <= 10; flick++) {
    now = later(now, MINUTE_MS);
    const body = { isActive: flick % 2 === 0 };
    await changeZone({ ...strict.ctx, now: () => now }, who, { params: { ref: { id: zone.id } }, body });
  }
  const kinds = (await mailTo(strict.ctx, advertiser.user.email)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => /paused|resumed/.test(kind))).toHaveLength(6);
  const { endDate } = (await advertiser.get(`/api/ads/${ad.id}`)).body as Ad;
  expect(new Date(endDate as string)).toEqual(later(startOf(ad), 3 * DAY_MS + 5 * MINUTE_MS));
});
