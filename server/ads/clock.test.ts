/** The clock of ads bought by the day: what a pause and a silent day do to their end. */
import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { changeZone } from '../inventory/offer.ts';
import type { Client } from '../testing/client.ts';
import { mailTo } from '../testing/mail.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone, pay } from '../testing/story.ts';
import { giveSilentDays } from './clock.ts';
import { completeDueAds } from './complete.ts';

let server: TestServer;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  server = await startTestServer();
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});
afterAll(() => server.close());

/** The server at another instant. */
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

/** As the worker does every minute. */
async function sweep(instant: Date): Promise<{ given: number; completed: number }> {
  const given = await giveSilentDays(at(instant), instant);
  return { given, completed: await completeDueAds(at(instant), instant) };
}

const liveFor = async (days: number) => await makeLiveAd(seller, buyer, { product: { duration: days } });

/** One valid decision for the zone in each of `hours` hours from `from` on. */
async function addRequests(zone: AdZone, from: Date, hours: number, reason = ''): Promise<void> {
  await sql`
    insert into delivery_hourly (hour, zone_id, kind, reason, n)
      select date_trunc('hour', ${from}::timestamptz) + hour * interval '1 hour', ${zone.id}, 'decision', ${reason}, 1
        from generate_series(0, ${hours - 1}::integer) as hour`.execute(server.ctx.db);
}

/** Nothing of other tests is due. */
async function endOthers(): Promise<void> {
  await sql`update ads set status = 'completed', end_date = start_date where status = 'active'`.execute(
    server.ctx.db,
  );
}

describe('a pause', () => {
  it('DEL-44 stops the clock of per-day ads: their end moves by exactly its time, and they wait for it', async () => {
    const { zone, ad } = await liveFor(3);
    const start = startOf(ad);
    await addRequests(zone, start, 24 * 20);
    const from = later(start, DAY_MS + 12_345);
    const to = later(start, 9 * DAY_MS + 678);
    const paused = await setActive(zone, false, from);
    expect(paused.pausedAt).toBe(from.toISOString());
    expect(await read(ad)).toMatchObject({ status: 'active', pausedAt: from.toISOString() });
    // Long past the end that it had.
    expect(await sweep(later(start, 8 * DAY_MS))).toEqual({ given: 0, completed: 0 });

    expect((await setActive(zone, true, to)).pausedAt).toBeNull();
    const end = later(start, 3 * DAY_MS + to.getTime() - from.getTime());
    expect(await read(ad)).toMatchObject({ endDate: end.toISOString(), pausedAt: null });
    expect(await sweep(later(end, -1))).toEqual({ given: 0, completed: 0 });
    expect(await sweep(end)).toEqual({ given: 0, completed: 1 });
  });

  it('DEL-44 moves the end once, however many resume at the same time, and a rename moves nothing', async () => {
    const { zone, ad } = await liveFor(5);
    const start = startOf(ad);
    await setActive(zone, false, later(start, HOUR_MS));
    await setActive(zone, false, later(start, 2 * HOUR_MS));
    expect((await seller.patch(`/api/ad-zones/${zone.id}`, { name: 'Renamed' })).status).toBe(200);
    await Promise.all(Array.from({ length: 5 }, () => setActive(zone, true, later(start, 4 * HOUR_MS))));
    expect(await endOf(ad)).toEqual(later(start, 5 * DAY_MS + 3 * HOUR_MS));
  });

  it('DEL-44 an ad paid during the pause gets what it missed of it; one that had ended gets nothing', async () => {
    const website = await makeWebsite(seller);
    const zone = await makeZone(seller, website);
    const product = await makeProduct(seller, zone, { duration: 2 });
    const early = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
    const late = await approve(seller, await makeAd(buyer, product));
    const from = later(startOf(early), 3 * DAY_MS);
    await setActive(zone, false, from);
    server.clock.set(later(from, 5 * HOUR_MS));
    const paid = await pay(buyer, late);
    expect((await read(paid)).pausedAt).toBe(paid.startDate);
    const to = later(startOf(paid), 10 * HOUR_MS);
    await setActive(zone, true, to);
    expect(await endOf(paid)).toEqual(later(to, 2 * DAY_MS));
    expect(await endOf(early)).toEqual(later(startOf(early), 2 * DAY_MS));
    await endOthers();
  });

  it('DEL-44 touches neither quota ads nor what was paid and earned', async () => {
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

  it('DEL-44 whatever the pauses: the time on the page adds up to what was bought', async () => {
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

describe('a silent tag', () => {
  it('DEL-45 each day without a request is given again, once, and the day it asks again is not', async () => {
    const { zone, ad } = await liveFor(3);
    const start = startOf(ad);
    const day = (count: number) => later(start, count * DAY_MS);
    expect((await sweep(later(day(1), -1))).given).toBe(0);
    const swept = await Promise.all([1, 2, 3].map(() => sweep(day(1))));
    expect(swept.reduce((sum, { given }) => sum + given, 0)).toBe(1);
    expect(await read(ad)).toMatchObject({ endDate: day(4).toISOString(), silentDays: 1 });
    // A robot's request shows nobody anything.
    await addRequests(zone, later(day(1), 3 * HOUR_MS), 1, 'bot');
    expect((await sweep(day(2))).given).toBe(1);
    expect(await read(ad)).toMatchObject({ endDate: day(5).toISOString(), silentDays: 2 });

    await addRequests(zone, later(day(2), 23 * HOUR_MS), 1);
    expect((await sweep(day(3))).given).toBe(0);
    expect(await read(ad)).toMatchObject({ endDate: day(5).toISOString(), silentDays: 0 });
    await addRequests(zone, later(day(3), 2 * HOUR_MS), 24 + 12);
    expect(await sweep(day(5))).toEqual({ given: 0, completed: 1 });
  });

  it('DEL-45 a silent last day is given before the ad could be completed, and days missed by the sweep too', async () => {
    const { zone, ad } = await liveFor(2);
    const start = startOf(ad);
    await addRequests(zone, start, 12);
    expect(await sweep(later(start, 2 * DAY_MS))).toEqual({ given: 1, completed: 0 });
    expect(await sweep(later(start, 9 * DAY_MS))).toEqual({ given: 7, completed: 0 });
    expect(await endOf(ad)).toEqual(later(start, 10 * DAY_MS));
    await endOthers();
  });

  it('DEL-45 a pause is no silence: the same time is never given twice', async () => {
    const { zone, ad } = await liveFor(7);
    const start = startOf(ad);
    const hour = (count: number) => later(start, count * HOUR_MS);
    await setActive(zone, false, hour(10));
    expect((await sweep(hour(60))).given).toBe(0);
    await setActive(zone, true, hour(60));
    expect(await endOf(ad)).toEqual(hour(7 * 24 + 50));
    // The day begins anew with the zone.
    expect((await sweep(hour(83))).given).toBe(0);
    expect((await sweep(hour(84))).given).toBe(1);
    expect(await endOf(ad)).toEqual(hour(8 * 24 + 50));
    await endOthers();
  });
});

it('DEL-46 both sides are told of a pause, of its end, and of the first of silent days', async () => {
  const publisher = await server.signIn('seller');
  const advertiser = await server.signIn('buyer');
  const { zone, ad } = await makeLiveAd(publisher, advertiser, { product: { duration: 3 } });
  const start = startOf(ad);
  const told = async (side: Client) => await mailTo(server.ctx, side.user.email);
  await publisher.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
  await publisher.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
  await sweep(later(start, DAY_MS + HOUR_MS));
  await sweep(later(start, 2 * DAY_MS + HOUR_MS));
  for (const side of [publisher, advertiser]) {
    const kinds = (await told(side)).map(({ kind }) => kind);
    expect(kinds.slice(-3)).toEqual(['ad-paused', 'ad-resumed', 'ad-silent']);
    const [paused, resumed, silent] = (await told(side)).slice(-3).map(({ text }) => text);
    expect(paused).toContain('its end moves by as long as the pause lasts');
    expect(resumed).toMatch(/it now runs until \w+ \d+, \d{4}, \d+:\d\d [AP]M UTC/);
    expect(silent).toMatch(/every such day/);
  }
});

it('DEL-46 who flicks the switch all day fills nobody’s mailbox, and the clock is right all the same', async () => {
  const strict = await startTestServer({ env: { RATE_LIMIT_FACTOR: '1' } });
  try {
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
  } finally {
    await strict.close();
  }
});
