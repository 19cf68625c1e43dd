/** An advertiser pauses and resumes a campaign, under the traffic rules of production. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { refundByOperator } from '#server/money/refunds/by-operator.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { headersOf, sendExactly } from '#server/testing/delivery/browsers.ts';
import { openCounter } from '#server/testing/delivery/counting.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';
import { untilTestEnds, useOwnAdServer, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { completeDueAds } from './complete.ts';
import { resumeDue } from './pause.ts';

const server = useOwnAdServer({ TRAFFIC_RULES: 'production' });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  // Each day of the tests begins ten minutes after a full hour.
  server.clock.set(new Date(Math.ceil(server.clock.now().getTime() / DAY_MS) * DAY_MS + HOUR_MS / 6));
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});

/** A day needs 10 views: half of 12,000 ÷ 30 ÷ 20. */
const WEEK = { pricingModel: 'per_day', duration: 7, price: '4900.00' };
const VIEWS = { pricingModel: 'per_impression', impressions: 1000, duration: null };
const live = async (product: Record<string, unknown> = WEEK) =>
  await makeLiveAd(seller, buyer, { product, website: { monthlyVisitors: 12_000 } });
const read = async (ad: Ad, client = buyer): Promise<Ad> =>
  (await client.get(`/api/ads/${ad.publicId}/details`)).body as Ad;
const pause = async (ad: Ad, until?: unknown, client = buyer): Promise<Answer> =>
  await client.post(`/api/ads/${ad.publicId}/pause`, until === undefined ? undefined : { until });
const resume = async (ad: Ad, client = buyer): Promise<Answer> =>
  await client.post(`/api/ads/${ad.id}/resume`);
const inDays = (days: number): string => later(server.clock.now(), days * DAY_MS).toISOString();
const mails = async (client: Client, ad: Ad, kind: string) =>
  (await mailTo(server.ctx, client.user.email)).filter(
    (mail) => mail.kind === kind && mail.text.includes(ad.title),
  );
const rule = async (ad: Ad) => (await buyer.get(`/api/ads/${ad.publicId}/showing`)).body.rule as unknown;
const liveAds = async ({ websitePublicId }: Ad) =>
  (await seller.get(`/api/websites/${websitePublicId}/ad-zones`)).body[0].liveAds as number;
/** A valid ad request. */
async function ask(zone: { publicId: string }, url = server.caller.url): Promise<string> {
  const headers = headersOf('Chrome on Windows', 'fetch');
  return (await sendExactly(`${url}/api/serve/ads?z=${zone.publicId}`, 'GET', headers)).text;
}
async function pass(ms: number): Promise<void> {
  await server.app.flushDelivery();
  server.clock.advance(ms);
  await runMoneyWork(server.ctx);
}

describe('a campaign by views', () => {
  // Proves PAUS-200
  it('is shown on no instance two seconds after its pause, and again after it is resumed', async () => {
    const { ad, zone } = await live(VIEWS);
    const second = await untilTestEnds(anotherInstance(server));
    const instances = [server.caller.url, second.url];
    for (const url of instances) await expect.poll(() => ask(zone, url)).toContain('"view"');
    expect(await liveAds(ad)).toBe(1);

    const paused = await pause(ad);
    expect(paused).toMatchObject({ status: 200, body: { status: 'active', paused: 'advertiser' } });
    expect(paused.body.advertiserPause).toEqual({ since: paused.body.updatedAt, until: null });
    expect(paused.body).toMatchObject({ pausedAt: null, endDate: null });
    for (const url of instances) await expect.poll(() => ask(zone, url)).not.toContain('"view"');
    expect(await rule(ad)).toBe('advertiser_paused');
    expect(await liveAds(ad)).toBe(0);
    expect((await read(ad, seller)).advertiserPause).toEqual(paused.body.advertiserPause);
    const shown = (await seller.get(`/api/ad-zones/${zone.publicId}/showing`)).body.ads;
    expect(shown).toMatchObject([{ rule: 'advertiser_paused', pricingModel: 'per_impression' }]);

    expect(await resume(ad)).toMatchObject({ status: 200, body: { paused: null, advertiserPause: null } });
    for (const url of instances) await expect.poll(() => ask(zone, url)).toContain('"view"');
  });

  // Proves PAUS-201
  it('counts the views of decisions before the pause, and still ends 90 days after its start', async () => {
    const { ad } = await live(VIEWS);
    await pause(ad);
    await countAt(server.ctx, ad, server.clock.now().toISOString(), 250);
    expect((await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body).toMatchObject({ delivered: 250 });
    // The tag still requests ads.
    await sql`update ad_zones set tag_seen_at = now() + interval '91 days' where id = ${ad.adZoneId}`.execute(
      server.ctx.db,
    );
    await pass(91 * DAY_MS);
    const ended = await read(ad);
    expect(ended).toMatchObject({ status: 'completed', endedReason: 'quota_unfinished' });
    expect(ended).toMatchObject({ paused: null, advertiserPause: null, refund: { amount: '75.00' } });
    await requireBalance(server.ctx);
  });

  // Proves PAUS-200
  it('leaves the ads that share its zone', async () => {
    const { ad } = await live(VIEWS);
    const shared = async () =>
      (await buyer.get(`/api/ad-zones/${ad.adZonePublicId}/availability?product=${ad.productId}`)).body
        .sharedWith;
    expect(await shared()).toBe(1);
    await pause(ad);
    expect(await shared()).toBe(0);
  });

  // Proves PAUS-201
  it('has the same refund of a part as one that is not paused', async () => {
    const { ad } = await live(VIEWS);
    const wanted = { adId: ad.id, amountCents: 4000, reason: 'For a test' };
    const refund = server.ctx.db
      .transaction()
      .execute(async (tx) => await refundByOperator(server.ctx, tx, wanted));
    const [, paused] = await Promise.all([refund, pause(ad)]);
    expect(paused.status).toBe(200);
    expect(await read(ad)).toMatchObject({
      status: 'active',
      paused: 'advertiser',
      refund: { amount: '40.00' },
    });
    await pass(MINUTE_MS);
    expect((await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body).toMatchObject({
      delivered: 0,
      refundAmount: '60.00',
    });
    await requireBalance(server.ctx);
  });
});

describe('a campaign by the day', () => {
  // Proves PAUS-202
  it('goes on without a view on the days that the pause touches, and ends as before', async () => {
    const { ad, zone } = await live();
    await pass(12 * HOUR_MS);
    expect((await pause(ad)).body).toMatchObject({ endDate: ad.endDate, paused: 'advertiser' });
    // Two days with an ad request and no view, then one without a request.
    for (let day = 0; day < 2; day++) {
      await ask(zone);
      await pass(DAY_MS);
      expect(await read(ad)).toMatchObject({ silentDays: 0, endDate: ad.endDate });
    }
    const ledger = async () => (await seller.get(`/api/ads/${ad.id}/ledger`)).body.earned as string;
    // Of the third day, which no request has reached yet, nothing is earned.
    expect(await ledger()).toBe('1190.00');
    await pass(DAY_MS);
    const silent = await read(ad);
    expect(silent).toMatchObject({
      silentDays: 1,
      endDate: later(new Date(ad.endDate as string), DAY_MS).toISOString(),
    });
    const { days } = (await buyer.get(`/api/ads/${ad.publicId}/days`)).body;
    expect(
      days.map(({ minViews, isSilent }: { minViews: number; isSilent: unknown }) => [minViews, isSilent]),
    ).toEqual([
      [0, null],
      [0, true],
      [0, false],
      [0, false],
    ]);
    // The day after the one on which it is resumed needs its views again.
    await resume(ad);
    await ask(zone);
    await pass(DAY_MS);
    expect(await read(ad)).toMatchObject({ silentDays: 0 });
    await ask(zone);
    await pass(DAY_MS);
    expect(await read(ad)).toMatchObject({ silentDays: 1 });
    await requireBalance(server.ctx);
  });

  // Proves PAUS-202
  it('is extended by a pause of its zone as if its advertiser had not paused it', async () => {
    const { ad, zone } = await live();
    await pause(ad);
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    expect(await read(ad)).toMatchObject({ paused: 'zone', advertiserPause: { until: null } });
    server.clock.advance(5 * HOUR_MS);
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: true });
    const after = await read(ad);
    expect(after.paused).toBe('advertiser');
    const moved = new Date(after.endDate as string).getTime() - new Date(ad.endDate as string).getTime();
    expect(Math.round(moved / MINUTE_MS)).toBe((5 * HOUR_MS) / MINUTE_MS);
    for (const client of [seller, buyer])
      expect((await mails(client, ad, 'ad-resumed')).at(-1)?.text).toContain(
        'until its advertiser resumes it',
      );
  });

  // Proves PAUS-202
  it('is refunded what its days have not earned, and completes while it is paused', async () => {
    const { ad, zone } = await live({ ...WEEK, duration: 2 });
    await ask(zone);
    await pause(ad);
    await pass(DAY_MS);
    await ask(zone);
    expect((await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body).toMatchObject({
      delivered: DAY_MS / SECOND_MS,
      refundAmount: '2450.00',
    });
    await pass(DAY_MS);
    expect(await read(ad)).toMatchObject({
      status: 'completed',
      endedReason: 'delivered',
      advertiserPause: null,
    });
    await requireBalance(server.ctx);
  });
});

describe('a call', () => {
  // Proves PAUS-203
  it('gets 404 from everybody but its advertiser', async () => {
    const { ad } = await live();
    for (const client of [seller, await server.signIn('buyer'), await server.signIn('both')]) {
      expect((await pause(ad, null, client)).status).toBe(404);
      expect((await resume(ad, client)).status).toBe(404);
    }
    expect((await pause(ad, null, server.anyone())).status).toBe(401);
    expect(await read(ad)).toMatchObject({ advertiserPause: null });
  });

  // Proves PAUS-203
  it('refuses a time that is none, past, too far, or not before the end of an ad by the day', async () => {
    const { ad } = await live();
    const { ad: byViews } = await live(VIEWS);
    const now = server.clock.now().toISOString();
    for (const until of ['tomorrow', 5, '2026-12-24', now, inDays(-1), inDays(91), '9999-12-31T00:00:00Z'])
      expect(await pause(byViews, until)).toMatchObject({
        status: 400,
        body: { message: /./ },
      });
    for (const until of [ad.endDate, inDays(8)]) expect((await pause(ad, until)).status).toBe(400);
    expect(await read(ad)).toMatchObject({ advertiserPause: null });
    expect((await pause(ad, later(new Date(ad.endDate as string), -1).toISOString())).status).toBe(200);
    // A pause that lasts gets another time, or none.
    for (const until of [inDays(90), inDays(3), null])
      expect((await pause(byViews, until)).body.advertiserPause.until).toBe(until);
  });

  // Proves PAUS-203
  it('refuses an ad that does not run, and one whose cancel waits', async () => {
    const { ad } = await live();
    await sql`update ads set cancel_asked_at = now() where id = ${ad.id}`.execute(server.ctx.db);
    for (const answer of [await pause(ad), await resume(ad)])
      expect(answer).toMatchObject({ status: 409, body: { reason: 'cancel', message: /./ } });
    await sql`update ads set cancel_asked_at = null where id = ${ad.id}`.execute(server.ctx.db);
    // No sweep has run, so it is still 'active'.
    server.clock.advance(7 * DAY_MS);
    for (const answer of [await pause(ad), await resume(ad)])
      expect(answer).toMatchObject({ status: 409, body: { reason: 'not_active', message: /./ } });
    await sql`update ads set status = 'completed' where id = ${ad.id}`.execute(server.ctx.db);
    expect(await pause(ad)).toMatchObject({ status: 409, body: { reason: 'not_active' } });
  });

  // Proves PAUS-204
  it('is one of twenty at once: each is answered with 200, the last one decides, and one mail is sent', async () => {
    const { ad } = await live(VIEWS);
    const paused = await Promise.all(Array.from({ length: 20 }, (_, n) => pause(ad, inDays(n + 1))));
    expect(paused.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const resumed = await Promise.all(Array.from({ length: 20 }, () => resume(ad)));
    expect(resumed.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await read(ad)).toMatchObject({ paused: null, advertiserPause: null });
    const { rows } = await sql`select from advertiser_pauses where ad_id = ${ad.id}`.execute(server.ctx.db);
    expect(rows).toHaveLength(1);
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? pause(ad) : resume(ad))));
    const { rows: open } = await sql`
      select from advertiser_pauses where ad_id = ${ad.id} and ended_at is null`.execute(server.ctx.db);
    expect(open).toHaveLength((await read(ad)).advertiserPause === null ? 0 : 1);
  });

  // Proves PAUS-204
  it('loses against the last view, or is ended by it', async () => {
    const counter = openCounter(server.databaseUrl);
    for (let round = 0; round < 5; round++) {
      const { ad } = await live({ ...VIEWS, impressions: 1 });
      const event = newEvent(server, { adId: ad.id, zoneId: ad.adZoneId });
      const [answer] = await Promise.all([pause(ad), counter.count([event], server.clock.now())]);
      expect([200, 409]).toContain(answer.status);
      if (answer.status === 409) expect(answer.body.reason).toBe('not_active');
      expect(await read(ad)).toMatchObject({ status: 'completed', advertiserPause: null, paused: null });
    }
    await counter.close();
  });
});

describe('the time of a pause', () => {
  // Proves PAUS-205
  it('ends it by a job, with a mail to the advertiser that names what else keeps the ad', async () => {
    const { ad } = await live(VIEWS);
    const { ad: other, zone } = await live(VIEWS);
    // Of other tests.
    await resumeDue(server.ctx);
    const until = inDays(1);
    for (const each of [ad, other]) await pause(each, until);
    await seller.patch(`/api/ad-zones/${zone.id}`, { isActive: false });
    expect(await resumeDue(server.ctx)).toBe(0);
    server.clock.advance(DAY_MS);
    expect((await Promise.all([resumeDue(server.ctx), resumeDue(server.ctx)])).reduce((a, b) => a + b)).toBe(
      2,
    );
    expect(await read(ad)).toMatchObject({ paused: null, advertiserPause: null });
    expect(await read(other)).toMatchObject({ paused: 'zone', advertiserPause: null });
    const told = (await mails(buyer, ad, 'pause-over')).slice(-2);
    expect(told.map(({ subject }) => subject)).toEqual(Array(2).fill('Your campaign is running again'));
    expect(told[0]?.text).toContain('It’s shown again in');
    expect(told[1]?.text).toContain('The publisher has paused its ad zone.');
  });

  it('of an ad that has ended resumes nothing', async () => {
    const { ad } = await live({ ...WEEK, duration: 2 });
    await pause(ad, inDays(1));
    // Of other tests.
    server.clock.advance(DAY_MS / 2);
    await resumeDue(server.ctx);
    await sql`update ads set end_date = ${server.clock.now()} where id = ${ad.id}`.execute(server.ctx.db);
    await completeDueAds(server.ctx);
    server.clock.advance(DAY_MS);
    expect(await resumeDue(server.ctx)).toBe(0);
  });
});

describe('the limits', () => {
  const limited = useOwnServer({ env: { RATE_LIMIT_FACTOR: '1' } });

  // Proves PAUS-205
  it('are six mails a day to the publisher for an ad, and 60 calls an hour of a person', async () => {
    const [publisher, advertiser] = [await limited.signIn('seller'), await limited.signIn('buyer')];
    const { ad } = await makeLiveAd(publisher, advertiser);
    const statuses: number[] = [];
    // The second pause of each round changes nothing but its time, so nobody is told.
    for (let round = 0; round < 20; round++)
      for (const act of ['pause', 'pause', 'resume'])
        statuses.push((await advertiser.post(`/api/ads/${ad.publicId}/${act}`)).status);
    expect(statuses).toEqual(Array(60).fill(200));
    const refused = await advertiser.post(`/api/ads/${ad.publicId}/pause`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const told = (await mailTo(limited.ctx, publisher.user.email)).filter(({ kind }) =>
      kind.startsWith('advertiser-'),
    );
    const [paused, resumed] = ['paused', 'resumed'].map(
      (what) => `A campaign on your site was ${what} by its advertiser`,
    );
    expect(told.map(({ subject }) => subject)).toEqual([paused, resumed, paused, resumed, paused, resumed]);
    expect(told[0]?.text).toContain('You go on earning.');
    const own = (await mailTo(limited.ctx, advertiser.user.email)).map(({ kind }) => kind);
    expect(own.filter((kind) => /pause|advertiser/.test(kind))).toEqual([]);
  });
});
