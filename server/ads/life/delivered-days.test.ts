/** Which days of a per-day ad earn under the traffic rules of production. docs/decisions/054-delivered-days.md */
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ad, AdDay } from '#domain/ads/contract.ts';
import type { AdZone, Product, Website } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { Payouts } from '#domain/payments/payout-contract.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { verifySite } from '#server/operator/decisions/queues.ts';
import { holdEarnings, releaseEarnings } from '#server/money/books/holds.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { chargeConsented } from '#server/money/consents/charge.ts';
import { CARD } from '#server/testing/money/checkout.ts';
import { headersOf, sendExactly } from '#server/testing/delivery/browsers.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { openCounter } from '#server/testing/delivery/counting.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { balanceOf } from '#server/testing/money/payout-market.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import {
  makeAd,
  makeLiveAd,
  makeWebsite,
  makeZone,
  approve,
  makeProduct,
  pay,
} from '#server/testing/story.ts';
import { endDays, markTold, requireViews } from '../clock/clock-store.ts';
import { findOpenDay } from '../clock/days-store.ts';

const server = useOwnAdServer({ TRAFFIC_RULES: 'production' });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  // Each day of the tests begins ten minutes after a full hour.
  server.clock.set(new Date(Math.ceil(server.clock.now().getTime() / DAY_MS) * DAY_MS + HOUR_MS / 6));
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});
afterEach(async () => await requireBalance(server.ctx));

/** 4,165.00 of 4,900.00 are the publisher's: 595.00 a day. A day needs 10 views: half of 12,000 ÷ 30 ÷ 20. */
const WEEK = { pricingModel: 'per_day', duration: 7, price: '4900.00' };
const SITE = { monthlyVisitors: 12_000 };
const live = async (fields: Parameters<typeof makeLiveAd>[2] = {}) =>
  await makeLiveAd(seller, buyer, { product: WEEK, website: SITE, ...fields });
const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;
const count = async (ad: Ad, views: number) =>
  await countAt(server.ctx, ad, server.clock.now().toISOString(), views);
const daysOf = async (ad: Ad, client = buyer): Promise<AdDay[]> =>
  (await client.get(`/api/ads/${ad.publicId}/days`)).body.days;
const earned = async (ad: Ad): Promise<string> => (await seller.get(`/api/ads/${ad.id}/ledger`)).body.earned;
const quote = async (ad: Ad) => (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
async function nextDay(): Promise<void> {
  server.clock.advance(DAY_MS);
  await runMoneyWork(server.ctx);
}
async function withdraw(ad: Ad, hour: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`select withdraw_traffic(${server.clock.now()}, ${ad.adZoneId},
    date_trunc('hour', ${hour}::timestamptz), date_trunc('hour', ${hour}::timestamptz) + interval '1 hour',
    '[{"signal": "network", "value": 1, "bound": 0}]') as id`.execute(server.ctx.db);
  await runMoneyWork(server.ctx);
  return rows[0]?.id as number;
}

describe('one ad request a day with the headers of a browser', () => {
  // Proves DEL-71
  it('earns nothing, both sides are told after two days, and a cancellation refunds everything', async () => {
    const { ad, zone } = await live();
    await server.app.refreshDelivery();
    const ask = async () =>
      await sendExactly(
        `${server.caller.url}/api/serve/ads?z=${zone.publicId}`,
        'GET',
        headersOf('Chrome on Windows', 'fetch'),
      );
    const mails = async (client: Client) =>
      (await mailTo(server.ctx, client.user.email)).filter(({ kind }) => kind === 'days-silent');
    for (let day = 1; day <= 7; day++) {
      expect((await ask()).text).toContain('"view"');
      await nextDay();
      expect(await read(ad)).toMatchObject({ status: 'active', silentDays: day });
      for (const side of [seller, buyer]) expect(await mails(side)).toHaveLength(day < 2 ? 0 : 1);
    }
    const requests = async () =>
      (
        await sql<{ n: number }>`select sum(n)::int as n from delivery_hourly
          where zone_id = ${zone.id} and kind = 'decision' and reason = ''`.execute(server.ctx.db)
      ).rows[0]?.n;
    await expect.poll(requests).toBe(7);
    for (const side of [seller, buyer]) expect((await mails(side))[0]?.text).toMatch(/silent.*0 of 10/s);

    expect(await earned(ad)).toBe('0.00');
    const ledger = (await buyer.get(`/api/ads/${ad.id}/ledger`)).body;
    expect(ledger.entries.at(-1).notCounted).toEqual([{ reason: 'not_running', count: expect.any(Number) }]);
    expect(ledger.entries.at(-1).notCounted[0].count).toBeGreaterThanOrEqual((7 * DAY_MS) / 1000);
    for (const client of [buyer, seller]) {
      const [open, ...ended] = await daysOf(ad, client);
      expect(open).toMatchObject({ views: 0, minViews: 10, isSilent: null, endedAt: null });
      expect(ended).toHaveLength(7);
      for (const day of ended) expect(day).toMatchObject({ views: 0, minViews: 10, isSilent: true });
    }
    expect(await quote(ad)).toMatchObject({ delivered: 0, refundAmount: '4900.00' });
    const canceled = await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount: '4900.00' });
    expect(canceled.body).toMatchObject({ status: 'completed', refund: { amount: '4900.00' } });
    await runMoneyWork(server.ctx);
    expect((await seller.get('/api/payouts')).body).toMatchObject({ pending: '0.00' });
  });
});

describe('the views of a day', () => {
  // Proves DEL-71
  it('earn its whole price if they reach half of the low end of the forecast of the checkout', async () => {
    const { ad } = await live();
    const { viewsPerDay } = (await buyer.get(`/api/ads/${ad.publicId}/availability`)).body;
    expect(viewsPerDay.low).toBe(20);
    for (let day = 0; day < 7; day++) {
      await count(ad, 10);
      await nextDay();
    }
    expect(await read(ad)).toMatchObject({ status: 'completed', endedReason: 'delivered', silentDays: 0 });
    expect(await earned(ad)).toBe('4165.00');
    expect((await daysOf(ad)).map(({ isSilent }) => isSilent)).toEqual(Array(7).fill(false));
  });

  // Proves DEL-71
  it('earn nothing if one view is missing, and no second is earned before they are reached', async () => {
    const { ad } = await live();
    await count(ad, 9);
    server.clock.advance(HOUR_MS);
    await runMoneyWork(server.ctx);
    expect(await earned(ad)).toBe('0.00');
    await nextDay();
    expect(await read(ad)).toMatchObject({
      silentDays: 1,
      endDate: later(new Date(ad.startDate as string), 8 * DAY_MS).toISOString(),
    });
    await count(ad, 10);
    server.clock.advance(2 * HOUR_MS);
    // 3 hours of the second day: the first one earns nothing, though it had an hour of its own.
    expect(Number(await earned(ad))).toBeCloseTo(74.37, 1);
    await nextDay();
    expect(await read(ad)).toMatchObject({ silentDays: 0 });
  });

  // Proves DEL-71
  it('that are needed are those of the ad’s part of the zone, and at least one', async () => {
    const { zone, product, ad } = await live();
    const second = await pay(buyer, await approve(seller, await makeAd(buyer, product)));
    const { ad: small } = await live({ website: { monthlyVisitors: 1 } });
    const needed = async (each: Ad) => (await daysOf(each))[0]?.minViews;
    expect([await needed(ad), await needed(second), await needed(small)]).toEqual([10, 5, 1]);
    const other = await makeProduct(seller, zone, {
      ...WEEK,
      pricingModel: 'per_click',
      duration: null,
      clicks: 5,
    });
    const clicks = await pay(buyer, await approve(seller, await makeAd(buyer, other)));
    expect(await daysOf(clicks)).toEqual([]);
    await nextDay();
    expect((await read(small)).silentDays).toBe(1);
    await count(small, 1);
    await nextDay();
    expect((await read(small)).silentDays).toBe(0);
  });

  // Proves DEL-71, DEL-44
  it('are those before and after a pause, which interrupts a day and is no silent one', async () => {
    const { ad, zone } = await live();
    const who = { id: seller.user.id, role: 'seller' } as const;
    const set = async (isActive: boolean, { id }: AdZone = zone) =>
      await changeZone(server.ctx, who, { params: { ref: { id } }, body: { isActive } });
    await count(ad, 6);
    server.clock.advance(12 * HOUR_MS);
    await set(false);
    for (let day = 0; day < 3; day++) await nextDay();
    expect(await read(ad)).toMatchObject({ silentDays: 0, paused: 'zone' });
    await set(true);
    expect(await earned(ad)).toBe('0.00');
    await count(ad, 4);
    expect(await earned(ad)).toBe('297.50');
    server.clock.advance(HOUR_MS);
    expect(await earned(ad)).toBe('322.29');
    server.clock.advance(11 * HOUR_MS);
    await runMoneyWork(server.ctx);
    expect(await earned(ad)).toBe('595.00');
    expect((await daysOf(ad))[1]).toMatchObject({ views: 10, isSilent: false });
  });

  // Proves DEL-71
  it('of an ad that was paid under another rule must be one', async () => {
    const { ad } = await live();
    await sql`update ads set min_day_views = null where id = ${ad.id}`.execute(server.ctx.db);
    await nextDay();
    expect(await read(ad)).toMatchObject({ silentDays: 1 });
    expect((await daysOf(ad)).map(({ minViews }) => minViews)).toEqual([1, 1]);
    await count(ad, 1);
    await nextDay();
    expect(await earned(ad)).toBe('595.00');
  });
});

describe('a scripted view a day', () => {
  /** Each way of a publisher to make the views that a day needs fewer: before the submission, or after it. */
  const ATTACKS: Record<string, (website: Website, zone: AdZone) => Promise<unknown>> = {
    'states no visitors': async ({ id }) => await seller.patch(`/api/websites/${id}`, { monthlyVisitors: 0 }),
    'excludes a topic that no page has': async (_, { id }) =>
      await seller.patch(`/api/ad-zones/${id}`, { excludes: { topics: ['zzz'] } }),
    'excludes most hours': async (_, { id }) =>
      await seller.patch(`/api/ad-zones/${id}`, { excludes: { hours: [{ from: 1, to: 0 }] } }),
  };

  async function offer(): Promise<{ website: Website; zone: AdZone; product: Product }> {
    const website = await makeWebsite(seller, SITE);
    const zone = await makeZone(seller, website);
    const product = await makeProduct(seller, zone, WEEK);
    return { website, zone, product };
  }

  // Proves WARD-30
  it.each(Object.entries(ATTACKS))(
    'earns nothing if the publisher %s between the submission and the payment',
    async (_, attack) => {
      const { website, zone, product } = await offer();
      const shown = await buyer.get(`/api/ad-zones/${zone.publicId}/availability?product=${product.id}`);
      expect(shown.body.minDayViews).toBe(10);
      const ad = await makeAd(buyer, product);
      expect(ad.minDayViews).toBe(10);
      expect(await attack(website, zone)).toMatchObject({ status: 200 });
      const { body } = await buyer.get(`/api/ads/${ad.id}/availability`);
      expect(body.minDayViews).toBe(10);
      await pay(buyer, await approve(seller, ad));
      expect((await read(ad)).minDayViews).toBe(10);
      for (let day = 1; day <= 3; day++) {
        await count(ad, 1);
        await nextDay();
        expect([await earned(ad), (await read(ad)).silentDays]).toEqual(['0.00', day]);
      }
      await seller.patch(`/api/ad-zones/${zone.id}`, { excludes: null });
    },
  );

  // Proves WARD-30
  it('earns nothing if the publisher excludes a topic before the submission, and the order never needs fewer', async () => {
    const { website, zone, product } = await offer();
    await ATTACKS['excludes a topic that no page has']!(website, zone);
    const ad = await makeAd(buyer, product);
    expect(ad.minDayViews).toBe(10);
    // A resubmission keeps the number of the submission before, and takes a larger one.
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
    await seller.patch(`/api/websites/${website.id}`, { monthlyVisitors: 0 });
    const again = { title: 'Again', description: ad.description, targetUrl: ad.targetUrl };
    expect((await buyer.put(`/api/ads/${ad.id}`, again)).body).toMatchObject({ minDayViews: 10 });
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
    await seller.patch(`/api/websites/${website.id}`, { monthlyVisitors: 24_000 });
    expect((await buyer.put(`/api/ads/${ad.id}`, { ...again, title: 'Anew' })).body).toMatchObject({
      minDayViews: 20,
    });
    await pay(buyer, await approve(seller, await read(ad)));
    await count(ad, 1);
    await nextDay();
    expect(await earned(ad)).toBe('0.00');
    const lower = sql`update ads set min_day_views = 1 where id = ${ad.id}`.execute(server.ctx.db);
    await expect(lower).rejects.toThrow('do not fall');
  });

  // Proves WARD-30
  it('is not ordered at a forecast that the publisher has lowered since the advertiser saw it', async () => {
    const { website, product } = await offer();
    const order = {
      adZoneId: product.adZoneId,
      productId: product.id,
      adType: 'text',
      title: 'T',
      description: 'D',
      targetUrl: 'https://coffee.example/',
      expectedDayViews: 10,
    };
    await seller.patch(`/api/websites/${website.id}`, { monthlyVisitors: 0 });
    expect(await buyer.post('/api/ads', order)).toMatchObject({
      status: 409,
      body: {
        message: 'Each day now needs only 1 counted view. Please check the order and submit it again.',
      },
    });
    await seller.patch(`/api/websites/${website.id}`, { monthlyVisitors: 24_000 });
    expect(await buyer.post('/api/ads', order)).toMatchObject({ status: 201, body: { minDayViews: 20 } });
  });

  // Proves WARD-30
  it('is the rule of each ad of a plan, and of one with a card that is charged on approval', async () => {
    const [one, two] = [await offer(), await offer()];
    const answer = await buyer.post('/api/plans', {
      requestId: crypto.randomUUID(),
      name: 'Spring',
      creative: {
        adType: 'text',
        title: 'Fresh coffee',
        description: 'Beans',
        targetUrl: 'https://coffee.example/',
      },
      placements: [one, two].map(({ zone, product }) => ({ adZoneId: zone.id, productId: product.id })),
    });
    expect([answer.status, answer.body.ads]).toMatchObject([201, [{ minDayViews: 10 }, { minDayViews: 10 }]]);
    const ads = (answer.body.ads as Ad[]).map(({ publicId }) => publicId);
    const begun = await buyer.post('/api/payment-consents', { limit: '9800.00', ads });
    await buyer.post('/api/sandbox/confirm', { clientSecret: begun.body.clientSecret, ...CARD });
    expect((await buyer.post(`/api/payment-consents/${begun.body.id}/confirm`)).status).toBe(200);
    for (const [at, { website }] of [one, two].entries()) {
      await seller.patch(`/api/websites/${website.id}`, { monthlyVisitors: 0 });
      await approve(seller, answer.body.ads[at]);
      await chargeConsented(server.ctx, answer.body.ads[at].id);
    }
    for (const ad of answer.body.ads as Ad[])
      expect(await read(ad)).toMatchObject({ status: 'active', minDayViews: 10 });
  });
});

describe('the earnings of days', () => {
  // Proves DEL-76, LEDG-11, PAYO-02
  it('wait like all others for the website’s verification, an operator, and the hold days of a new publisher', async () => {
    const publisher = await server.signIn('seller');
    const { ad, website } = await makeLiveAd(publisher, buyer, { product: WEEK, website: SITE });
    await count(ad, 10);
    await nextDay();
    const reasons = ({ holds }: Payouts) => holds.map(({ reason }) => reason);
    const unverified = await balanceOf(publisher);
    expect(unverified).toMatchObject({ available: '0.00', held: '595.00' });
    expect(reasons(unverified)).toEqual(['unverified_site']);
    await verifySite(server.ctx, { id: null }, { id: website.id, reason: 'A rehearsal' });
    expect(await balanceOf(publisher)).toMatchObject({ pending: '595.00', available: '0.00', held: '0.00' });

    const { db } = server.ctx;
    const held = await db.transaction().execute((tx) => holdEarnings(server.ctx, tx, { adId: ad.id }));
    const suspected = await balanceOf(publisher);
    expect(suspected).toMatchObject({ available: '0.00', held: '595.00' });
    expect(reasons(suspected)).toEqual(['operator']);
    await db.transaction().execute((tx) => releaseEarnings(server.ctx, tx, held.id));

    // Silent days earn nothing, so the balance only matures.
    for (let day = 0; day < 8; day++) await nextDay();
    expect(await balanceOf(publisher)).toMatchObject({ pending: '100.00', available: '495.00' });
    for (let day = 0; day < 23; day++) await nextDay();
    expect(await balanceOf(publisher)).toMatchObject({ pending: '0.00', available: '595.00', held: '0.00' });
  });

  // Proves DEL-76
  it('of a new publisher are one day’s price a day, however many views a script makes', async () => {
    const publisher = await server.signIn('seller');
    const { ad, zone } = await makeLiveAd(publisher, buyer, { product: WEEK, website: SITE });
    const product = await makeProduct(publisher, zone, {
      pricingModel: 'per_impression',
      duration: null,
      impressions: 5000,
      price: '5000.00',
    });
    const byView = await pay(buyer, await approve(publisher, await makeAd(buyer, product)));
    const counter = openCounter(server.databaseUrl, { ceilings: true });
    const script = async (each: Ad, views: number) => {
      const event = () => newEvent(server, { adId: each.id, zoneId: zone.id });
      await counter.count(Array.from({ length: views }, event), server.clock.now());
    };
    const earnedBy = async (each: Ad) =>
      (await publisher.get(`/api/ads/${each.id}/ledger`)).body.earned as string;
    try {
      // 12,000 visitors a month make a ceiling of 400 views, of which each earns 0.85.
      for (const each of [ad, byView]) await script(each, 2000);
      expect(await earnedBy(byView)).toBe('340.00');
      // A cent takes 1.5 seconds.
      expect(Number(await earnedBy(ad))).toBeLessThan(1);
      server.clock.advance(12 * HOUR_MS);
      expect(Number(await earnedBy(ad))).toBeCloseTo(297.5, 0);
      server.clock.advance(12 * HOUR_MS);
      await runMoneyWork(server.ctx);
      expect(await earnedBy(ad)).toBe('595.00');
      // The views beyond those of the day earn no part of the next one.
      await nextDay();
      expect([await earnedBy(ad), (await read(ad)).silentDays]).toEqual(['595.00', 1]);
    } finally {
      await counter.close();
    }
  });
});

describe('withdrawn views', () => {
  // Proves DEL-73, LEDG-03
  it('make a delivered day silent, and an overruled withdrawal makes it delivered again', async () => {
    const { ad } = await live();
    const first = server.clock.now();
    await count(ad, 10);
    await nextDay();
    await count(ad, 10);
    await nextDay();
    expect(await earned(ad)).toBe('1190.00');
    const { endDate } = await read(ad);
    const id = await withdraw(ad, first);
    expect(await earned(ad)).toBe('595.00');
    expect(await read(ad)).toMatchObject({
      silentDays: 0,
      endDate: later(new Date(endDate as string), DAY_MS).toISOString(),
    });
    expect((await daysOf(ad)).slice(1)).toMatchObject([
      { views: 10, isSilent: false },
      { views: 0, isSilent: true },
    ]);
    const entries = (await seller.get(`/api/ads/${ad.id}/ledger`)).body.entries as { kind: string }[];
    expect(entries.map(({ kind }) => kind)).toContain('correction');

    await sql`select overrule_withdrawal(${server.clock.now()}, ${id}, 'operator', 'People')`.execute(
      server.ctx.db,
    );
    await runMoneyWork(server.ctx);
    expect([await earned(ad), (await read(ad)).endDate]).toEqual(['1190.00', endDate]);
  });

  // Proves DEL-71, DEL-73
  it('count toward the days in a row of which both sides are told', async () => {
    const { ad } = await live();
    const first = server.clock.now();
    await count(ad, 10);
    await nextDay();
    const second = server.clock.now();
    await count(ad, 10);
    await nextDay();
    await withdraw(ad, first);
    await withdraw(ad, second);
    expect(await read(ad)).toMatchObject({ silentDays: 2 });
    const about = (await mailTo(server.ctx, buyer.user.email)).filter(
      ({ kind, text }) => kind === 'days-silent' && text?.includes('0 of 10'),
    );
    expect(about.length).toBeGreaterThan(0);
  });

  // Proves DEL-73, REFU-07
  it('of a campaign that is over are refunded', async () => {
    const { ad } = await live({ product: { ...WEEK, duration: 1, price: '700.00' } });
    const first = server.clock.now();
    await count(ad, 10);
    await nextDay();
    expect(await read(ad)).toMatchObject({ status: 'completed', endedReason: 'delivered' });
    await withdraw(ad, first);
    await runMoneyWork(server.ctx);
    expect(await read(ad)).toMatchObject({ status: 'completed', refund: { amount: '700.00' } });
    expect(await earned(ad)).toBe('0.00');
  });

  // Proves DEL-73, REFU-07
  it('of the last day of a canceled campaign are refunded', async () => {
    const { ad } = await live();
    const first = server.clock.now();
    await count(ad, 10);
    server.clock.advance(12 * HOUR_MS);
    // A cent takes 1.2 seconds.
    const { refundAmount } = await quote(ad);
    expect(Number(refundAmount)).toBeCloseTo(4550, 0);
    await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount });
    await withdraw(ad, first);
    await runMoneyWork(server.ctx);
    expect(await read(ad)).toMatchObject({ refund: { amount: '4900.00' } });
    expect(await earned(ad)).toBe('0.00');
  });

  // Proves DEL-73, REFU-07
  it.each(['first', 'last'] as const)(
    'of the %s hour of a day that a cancellation cuts short are part of that day',
    async (which) => {
      const { ad } = await live();
      const first = server.clock.now();
      await count(ad, 5);
      server.clock.advance(12 * HOUR_MS);
      const last = server.clock.now();
      await count(ad, 5);
      const { refundAmount } = await quote(ad);
      await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount });
      expect(await daysOf(ad)).toMatchObject([{ views: 10, isSilent: false }]);
      await withdraw(ad, { first, last }[which]);
      await runMoneyWork(server.ctx);
      expect(await daysOf(ad)).toMatchObject([{ views: 5, isSilent: true }]);
      expect(await read(ad)).toMatchObject({ refund: { amount: '4900.00' } });
      expect(await earned(ad)).toBe('0.00');
    },
  );

  // Proves DEL-73
  it('of a day that was cut short come back with the same seconds when the operator overrules', async () => {
    const { ad } = await live();
    const first = server.clock.now();
    await count(ad, 10);
    server.clock.advance(12 * HOUR_MS);
    const { refundAmount } = await quote(ad);
    await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount });
    const { rows } = await sql<{ before: number; after: number }>`
      with taken as (
        select units, withdraw_traffic(${server.clock.now()}, ${ad.adZoneId}, date_trunc('hour', ${first}::timestamptz),
            date_trunc('hour', ${first}::timestamptz) + interval '1 hour', '[{"signal": "network", "value": 1, "bound": 0}]') as id
          from ad_earnings where ad_id = ${ad.id})
      select units as before, overrule_withdrawal(${server.clock.now()}, id, 'operator', 'People') as after from taken`.execute(
      server.ctx.db,
    );
    const { settledUnits } = await server.ctx.db
      .selectFrom('adEarnings')
      .select('settledUnits')
      .where('adId', '=', ad.id)
      .executeTakeFirstOrThrow();
    expect(settledUnits).toBe(rows[0]?.before);
  });
});

// Proves DEL-71
it('the work of a minute reads only the ads whose day is over, and the hours of their day', async () => {
  const { db } = server.ctx;
  const { ad } = await live();
  const now = later(server.clock.now(), DAY_MS);
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    select date_trunc('hour', ${now}::timestamptz, 'utc') - h * interval '1 hour', ${ad.id}, ${ad.adZoneId}, 'view', '', 1
      from generate_series(1, 30000) as h`.execute(db);
  await sql`insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
      pricing_model, duration)
    select user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount, pricing_model,
      duration from ads, generate_series(1, 3000) where ads.id = ${ad.id}`.execute(db);
  await sql`vacuum analyze ads, delivery_hourly`.execute(server.owner);
  const running = (await db.selectFrom('ads').select('id').where('status', '=', 'active').execute()).length;
  for (const work of [endDays, markTold]) {
    const plan = await planOf(db, async (tx) => await work(tx, now, 200), { analyze: true });
    // Each statement reads an ad when it finds it, when it locks it, and when it changes it.
    expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(3 * running);
  }
  const none = await planOf(db, async (tx) => await requireViews(tx), { analyze: true });
  expect(rowsMet(none, 'ads')).toBe(0);
  const [day] = await planOf(db, async (tx) => await findOpenDay(tx, ad.id), { analyze: true });
  // All hours of the ad have several hundred pages.
  expect((day?.['Shared Hit Blocks'] ?? 0) + (day?.['Shared Read Blocks'] ?? 0)).toBeLessThan(60);
});
