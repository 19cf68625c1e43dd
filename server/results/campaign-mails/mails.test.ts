/** The mails about a week and about an end: who gets them, once, and with which figures. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Plan } from '#domain/plans/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { runDueJobs } from '#server/app/jobs/run-due.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { chooseTimezone, countAt, refundPart } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeLiveAd, pay } from '#server/testing/story.ts';
import { tellEnded } from './ended.ts';
import { mailWeek } from './week.ts';

/** A Monday, long after the week that the migration has marked as told. */
const START = new Date('2031-03-03T10:00:00Z');
const OPERATOR = { id: null, dryRun: false };
const views = { pricingModel: 'per_impression', price: '20.00', impressions: 10_000, duration: undefined };

let seller: Client;
const server = useOwnServer({ start: START, env: { MARKETPLACE_NAME: 'Brot & Rad Ads' } });

beforeAll(async () => {
  seller = await server.signIn('seller');
});

const mailsTo = async (client: Client, kind: 'campaign-week' | 'campaign-ended') =>
  (await mailTo(server.ctx, client.user.email)).filter((mail) => mail.kind === kind);
const turnOff = async (client: Client, setting: string) =>
  expect((await client.patch('/api/user/settings', { [setting]: false })).status).toBe(200);
const measure = async (ad: Ad, hour: Date, clicks: number, conversions: number) => {
  await sql`insert into landing_hours (ad_id, hour, zone_id, clicks, landings)
    values (${ad.id}, date_trunc('hour', ${hour}::timestamptz), ${ad.adZoneId}, ${clicks}, ${clicks})`.execute(
    server.ctx.db,
  );
  await sql`insert into conversions (ad_id, zone_id, user_id, converted_at)
    select ${ad.id}, ${ad.adZoneId}, ${ad.userId}, ${hour} from generate_series(1, ${conversions})`.execute(
    server.ctx.db,
  );
};

describe('the mail about an end', () => {
  const complete = async (ad: Ad, count: number, clicks = 0) => {
    await countAt(server.ctx, ad, server.ctx.now().toISOString(), count, clicks);
    await sql`update ads set status = 'completed', end_date = ${server.ctx.now()} where id = ${ad.id}`.execute(
      server.ctx.db,
    );
  };

  it('has three sentences with the figures of the campaign’s page, once, and links it', async () => {
    const buyer = await server.signIn('buyer');
    const { ad } = await makeLiveAd(seller, buyer, { product: views, ad: { title: '<b>Fresh</b> coffee' } });
    await measure(ad, later(server.ctx.now(), HOUR_MS), 40, 4);
    server.clock.advance(2 * DAY_MS);
    await complete(ad, 10_000, 50);
    await Promise.all([1, 2, 3].map(() => tellEnded(server.ctx, { adId: ad.id })));
    await tellEnded(server.ctx, { adId: ad.id });
    const [mail, ...more] = await mailsTo(buyer, 'campaign-ended');
    expect(more).toEqual([]);
    for (const text of [
      'TEST: payments run in the sandbox',
      '“<b>Fresh</b> coffee” in Sidebar on The Daily Slot had 10,000 views, 50 clicks and 4 conversions from Mar 3 to Mar 5.',
      'You bought 10,000 views, and everything was delivered.',
      'It cost $20.00: $2.00 for 1,000 views, $0.40 for a click and $5.00 for a conversion.',
      `See all results:\n${server.ctx.config.publicUrl}/campaigns/${ad.publicId}`,
      'because “Campaign updates” is on',
      `${server.ctx.config.publicUrl}/settings?tab=notifications`,
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.html).not.toContain('<b>Fresh');
    expect(mail?.text).not.toContain('Openslot');
  });

  it('of days has their average, and says what was refunded', async () => {
    const buyer = await server.signIn('buyer');
    await chooseTimezone(buyer, 'Pacific/Kiritimati');
    const { ad } = await makeLiveAd(seller, buyer, { product: { price: '70.00', duration: 7 } });
    for (let day = 0; day < 7; day++)
      await countAt(server.ctx, ad, later(server.ctx.now(), day * DAY_MS + HOUR_MS).toISOString(), 100);
    server.clock.advance(7 * DAY_MS);
    await completeDueAds(server.ctx);
    await tellEnded(server.ctx, { adId: ad.id });
    const [mail] = await mailsTo(buyer, 'campaign-ended');
    expect(mail?.text).toContain('had 700 views and no clicks from Mar 6 to Mar 13.');
    expect(mail?.text).toContain('You bought 7 days, and it had 100 views on an average day.');
    expect(mail?.text).toContain('It cost $70.00: $100.00 for 1,000 views.');

    const other = await server.signIn('buyer');
    const { ad: refunded } = await makeLiveAd(seller, other, { product: views });
    await refundPart(server, refunded, 500);
    await complete(refunded, 7500);
    await tellEnded(server.ctx, { adId: refunded.id });
    const [told] = await mailsTo(other, 'campaign-ended');
    expect(told?.text).toContain('all that wasn’t refunded was delivered');
    expect(told?.text).toContain('after a refund of $5.00');
  });

  it('goes to nobody who has turned “Campaign updates” off or whose campaign ended early', async () => {
    const [silent, canceled] = [await server.signIn('buyer'), await server.signIn('buyer')];
    await turnOff(silent, 'campaignUpdates');
    const { ad } = await makeLiveAd(seller, silent, { product: views });
    await complete(ad, 10_000);
    await tellEnded(server.ctx, { adId: ad.id });
    expect(await mailsTo(silent, 'campaign-ended')).toEqual([]);
    // The switch decides when the campaign ends, not later.
    await silent.patch('/api/user/settings', { campaignUpdates: true });
    await tellEnded(server.ctx, { adId: ad.id });
    expect(await mailsTo(silent, 'campaign-ended')).toEqual([]);

    const { ad: early } = await makeLiveAd(seller, canceled, { product: views });
    await refundAd(server.ctx, OPERATOR, { id: early.id, amount: null, reason: 'Agreed' });
    await tellEnded(server.ctx, { adId: early.id });
    expect(await mailsTo(canceled, 'campaign-ended')).toEqual([]);
  });

  async function planOf(buyer: Client, placements: number): Promise<{ plan: Plan; ads: Ad[] }> {
    const { zone, product } = await makeLiveAd(seller, await server.signIn('buyer'), { product: views });
    const plan = (
      await buyer.post('/api/plans', {
        requestId: randomUUID(),
        name: 'Spring',
        creative: { adType: 'text', title: 'Tea', description: 'Leaves.', targetUrl: 'https://tea.example' },
        placements: Array.from({ length: placements }, () => ({
          adZoneId: zone.publicId,
          productId: product.id,
        })),
      })
    ).body as Plan;
    const ads: Ad[] = [];
    for (const each of plan.ads) ads.push(await pay(buyer, await approve(seller, each)));
    return { plan, ads };
  }

  it('of a plan waits for its last running ad, and is one', async () => {
    const buyer = await server.signIn('buyer');
    const { plan, ads } = await planOf(buyer, 2);
    await complete(ads[0]!, 10_000, 20);
    await tellEnded(server.ctx, { adId: ads[0]!.id });
    expect(await mailsTo(buyer, 'campaign-ended')).toEqual([]);
    server.clock.advance(DAY_MS);
    await complete(ads[1]!, 10_000);
    await Promise.all(ads.map(({ id }) => tellEnded(server.ctx, { adId: id })));
    const [mail, ...more] = await mailsTo(buyer, 'campaign-ended');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your plan is complete');
    expect(mail?.text).toContain('“Spring” had 20,000 views and 20 clicks from');
    expect(mail?.text).toContain('Both campaigns have delivered everything that you bought.');
    expect(mail?.text).toContain('It cost $40.00: $2.00 for 1,000 views and $2.00 for a click.');
    expect(mail?.text).toContain(`${server.ctx.config.publicUrl}/plans/${plan.publicId}`);
  });

  it('of a plan comes, too, when its last running ad was canceled', async () => {
    const buyer = await server.signIn('buyer');
    const { ads } = await planOf(buyer, 3);
    await complete(ads[0]!, 10_000);
    await refundAd(server.ctx, OPERATOR, { id: ads[1]!.id, amount: null, reason: 'Agreed' });
    await runDueJobs(server.ctx, server.databaseUrl);
    expect(await mailsTo(buyer, 'campaign-ended')).toEqual([]);
    await refundAd(server.ctx, OPERATOR, { id: ads[2]!.id, amount: null, reason: 'Agreed' });
    await runDueJobs(server.ctx, server.databaseUrl);
    const [mail, ...more] = await mailsTo(buyer, 'campaign-ended');
    expect(more).toEqual([]);
    expect(mail?.text).toContain(
      '1 of its 3 campaigns has delivered everything that you bought, and the others ended early or never ran.',
    );
    expect(mail?.text).toContain('It cost $20.00 after a refund of $40.00: $2.00 for 1,000 views.');
  });
});

describe('the mail about a week', () => {
  let monday: Date;
  /** Each test has the next week. */
  beforeEach(() => {
    const now = server.ctx.now();
    const days = (8 - now.getUTCDay()) % 7 || 7;
    monday = new Date(now.toISOString().slice(0, 10));
    monday = later(monday, days * DAY_MS);
    server.clock.set(later(monday, 14 * HOUR_MS));
  });
  const due = () => later(monday, 7 * DAY_MS + 12.1 * HOUR_MS);

  it('comes once on Monday at noon, with all campaigns and their costs, and compares the next with it', async () => {
    const buyer = await server.signIn('buyer');
    const { ad: first } = await makeLiveAd(seller, buyer, { product: views, ad: { title: 'Coffee' } });
    const { ad: second } = await makeLiveAd(seller, buyer, { product: views, ad: { title: 'Tea' } });
    await countAt(server.ctx, first, later(monday, DAY_MS).toISOString(), 1000, 4);
    await countAt(server.ctx, second, later(monday, 2 * DAY_MS).toISOString(), 500, 0);
    server.clock.set(later(monday, 7 * DAY_MS + 12 * HOUR_MS));
    await mailWeek(server.ctx);
    expect(await mailsTo(buyer, 'campaign-week')).toEqual([]);
    server.clock.set(due());
    await Promise.all([mailWeek(server.ctx), mailWeek(server.ctx), mailWeek(server.ctx)]);
    server.clock.advance(DAY_MS);
    await mailWeek(server.ctx);
    const [mail, ...more] = await mailsTo(buyer, 'campaign-week');
    expect(more).toEqual([]);
    for (const text of [
      'Your 2 campaigns had 1,500 views and 4 clicks from ',
      'This was their first week, so there is no earlier one to compare it with.',
      'Their delivery cost $3.00: $2.00 for 1,000 views and $0.75 for a click.',
      '“Coffee” (The Daily Slot, Sidebar): 1,000 views, 4 clicks, $2.00',
      '“Tea” (The Daily Slot, Sidebar): 500 views, 0 clicks, $1.00',
      `Open your dashboard:\n${server.ctx.config.publicUrl}/dashboard`,
      'because “Campaign updates” is on',
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.text).not.toContain('Openslot');

    await countAt(server.ctx, first, later(monday, 8 * DAY_MS).toISOString(), 750, 5);
    server.clock.set(later(due(), 7 * DAY_MS));
    await mailWeek(server.ctx);
    const [, next, ...others] = await mailsTo(buyer, 'campaign-week');
    expect(others).toEqual([]);
    expect(next?.text).toContain(
      'Compared with the week before, views fell by 50% and clicks rose from 4 to 5.',
    );
  });

  it('has the days of the advertiser’s timezone, the conversions of the week, and links the only campaign', async () => {
    const buyer = await server.signIn('buyer');
    await chooseTimezone(buyer, 'America/New_York');
    const { ad } = await makeLiveAd(seller, buyer, { product: views });
    // Late on Sunday in New York, and early on Monday there.
    await countAt(server.ctx, ad, later(monday, 7 * DAY_MS + 3 * HOUR_MS).toISOString(), 1000, 8);
    await countAt(server.ctx, ad, later(monday, 7 * DAY_MS + 6 * HOUR_MS).toISOString(), 300, 1);
    await measure(ad, later(monday, 7 * DAY_MS + 3 * HOUR_MS), 6, 2);
    await measure(ad, later(monday, 7 * DAY_MS + 6 * HOUR_MS), 1, 1);
    server.clock.set(due());
    await mailWeek(server.ctx);
    const [mail] = await mailsTo(buyer, 'campaign-week');
    expect(mail?.text).toContain('Your campaign had 1,000 views, 8 clicks and 2 conversions from ');
    expect(mail?.text).toContain('and $1.00 for a conversion.');
    expect(mail?.text).toContain(`/campaigns/${ad.publicId}`);
    expect(mail?.text).not.toContain('“Fresh coffee');
  });

  it('says when the days begin in a timezone that is not whole hours from UTC', async () => {
    const buyer = await server.signIn('buyer');
    await chooseTimezone(buyer, 'Asia/Kolkata');
    const { ad } = await makeLiveAd(seller, buyer, { product: views });
    await countAt(server.ctx, ad, later(due(), -2 * DAY_MS).toISOString(), 70);
    server.clock.set(due());
    await mailWeek(server.ctx);
    const [mail] = await mailsTo(buyer, 'campaign-week');
    expect(mail?.text).toContain(
      'Delivery is counted by the hour of UTC, so days in reports begin at 00:30 in Asia/Kolkata.',
    );
  });

  it('says what to do without views, and leaves out who turned it off, is suspended, or has no running ad', async () => {
    const [unseen, off, noMail, suspended, ahead] = [
      await server.signIn('buyer'),
      await server.signIn('buyer'),
      await server.signIn('buyer'),
      await server.signIn('buyer'),
      await server.signIn('buyer'),
    ];
    await turnOff(off, 'campaignUpdates');
    await turnOff(noMail, 'emailNotifications');
    for (const buyer of [unseen, off, noMail, suspended]) await makeLiveAd(seller, buyer, { product: views });
    const startDate = later(monday, 10 * DAY_MS)
      .toISOString()
      .slice(0, 10);
    await makeLiveAd(seller, ahead, { ad: { startDate } });
    await server.ctx.db
      .updateTable('users')
      .set({ suspendedAt: server.ctx.now(), suspendedReason: 'Spam' })
      .where('id', '=', suspended.user.id)
      .execute();
    server.clock.set(due());
    await mailWeek(server.ctx);
    const [mail] = await mailsTo(unseen, 'campaign-week');
    expect(mail?.text).toContain('Your campaign had no views and no clicks');
    expect(mail?.text).toContain('Its delivery cost nothing.');
    expect(mail?.text).toContain('choose “Not showing?”');
    for (const buyer of [off, noMail, suspended, ahead])
      expect(await mailsTo(buyer, 'campaign-week')).toEqual([]);
  });

  it('reaches an advertiser whose timezone the database does not know, with the days of UTC', async () => {
    const buyer = await server.signIn('buyer');
    const { ad } = await makeLiveAd(seller, buyer, { product: views });
    await countAt(server.ctx, ad, later(due(), -2 * DAY_MS).toISOString(), 70);
    await sql`update user_settings set timezone = 'US/Pacific-New' where user_id = ${buyer.user.id}`.execute(
      server.owner,
    );
    server.clock.set(due());
    await mailWeek(server.ctx);
    const [mail] = await mailsTo(buyer, 'campaign-week');
    expect(mail?.text).toContain('Your campaign had 70 views');
  });

  it('reaches the others if the figures of one advertiser cannot be read', async () => {
    const [broken, other] = [await server.signIn('buyer'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, broken, { product: views });
    await makeLiveAd(seller, other, { product: views });
    // More cents than a number of JavaScript can hold.
    await sql`insert into earned_hours (ad_id, hour, publisher_cents, commission_cents)
      values (${ad.id}, date_trunc('hour', ${later(due(), -2 * DAY_MS)}::timestamptz), 9007199254740993, 0)`.execute(
      server.ctx.db,
    );
    server.clock.set(due());
    await mailWeek(server.ctx);
    expect((await mailsTo(broken, 'campaign-week')).length).toBe(0);
    expect((await mailsTo(other, 'campaign-week')).length).toBe(1);
    await sql`delete from earned_hours where ad_id = ${ad.id}`.execute(server.ctx.db);
  });

  it('goes on after the account that a stopped run has reached, and is a part of `jobs run`', async () => {
    const [first, second] = [await server.signIn('buyer'), await server.signIn('buyer')];
    for (const buyer of [first, second]) await makeLiveAd(seller, buyer, { product: views });
    const week = monday.toISOString().slice(0, 10);
    await sql`insert into campaign_weeks (week, mailed_through) values (${week}, ${first.user.id})`.execute(
      server.ctx.db,
    );
    server.clock.set(due());
    expect((await runDueJobs(server.ctx, server.databaseUrl)).failed).toEqual([]);
    expect((await mailsTo(first, 'campaign-week')).length).toBe(0);
    expect((await mailsTo(second, 'campaign-week')).length).toBe(1);
  });
});
