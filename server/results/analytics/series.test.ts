/** The series has every day, week or month of the range in the user's timezone. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Bucket } from '#domain/analytics/contract.ts';
import {
  addressOf,
  breakdownOf,
  chooseTimezone,
  countAt,
  payAt,
  type Query,
  seriesOf,
} from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnServer({ start: new Date('2026-03-02T12:00:00Z') });

const pair = async () => [await server.signIn('seller'), await server.signIn('buyer')] as const;
const month = { product: { duration: 60 } };
const views = ({ buckets }: { buckets: Bucket[] }) => buckets.map((each) => [each.start, each.impressions]);

describe('the days of the series', () => {
  it.each([
    // 15:00 UTC is midnight in Tokyo, 08:00 UTC in Los Angeles in winter.
    ['Asia/Tokyo', '2026-03-03T14:59:59Z', '2026-03-03T15:00:00Z'],
    ['America/Los_Angeles', '2026-03-04T07:59:59Z', '2026-03-04T08:00:00Z'],
    ['UTC', '2026-03-03T23:59:59Z', '2026-03-04T00:00:00Z'],
  ])('end at midnight of the user’s timezone (%s)', async (timezone, before, after) => {
    const [seller, buyer] = await pair();
    const product = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };
    const { ad } = await makeLiveAd(seller, buyer, { product });
    await countAt(server.ctx, ad, before, 3, 1);
    await countAt(server.ctx, ad, after, 5, 2);
    await payAt(server, ad, before);
    await chooseTimezone(buyer, timezone);
    const nothing = {
      impressions: 0,
      clicks: 0,
      amount: '0.00',
      paid: '0.00',
      cpm: null,
      cpc: null,
      ctr: null,
    };
    const costs = { cpm: '1000.00' };
    expect(await seriesOf(buyer, { side: 'buyer', from: '2026-03-02', to: '2026-03-05' })).toMatchObject({
      timezone,
      totals: {
        impressions: 8,
        clicks: 3,
        amount: '8.00',
        paid: '100.00',
        ...costs,
        cpc: '2.67',
        ctr: 0.375,
      },
      previous: nothing,
      buckets: [
        { start: '2026-03-02', ...nothing },
        {
          start: '2026-03-03',
          impressions: 3,
          clicks: 1,
          amount: '3.00',
          paid: '100.00',
          ...costs,
          cpc: '3.00',
        },
        { start: '2026-03-04', impressions: 5, clicks: 2, amount: '5.00', paid: '0.00', ...costs, ctr: 0.4 },
        { start: '2026-03-05', ...nothing },
      ],
    });
    const oneDay = await seriesOf(buyer, { side: 'buyer', from: '2026-03-04', to: '2026-03-04' });
    expect(views(oneDay)).toEqual([['2026-03-04', 5]]);
    await chooseTimezone(seller, timezone);
    const earned = await seriesOf(seller, { side: 'seller', from: '2026-03-03', to: '2026-03-03' });
    expect(earned.buckets).toMatchObject([
      { start: '2026-03-03', impressions: 3, clicks: 1, amount: '2.55', paid: '85.00' },
    ]);
    // The day before has the three views of the period before.
    const next = await seriesOf(seller, { side: 'seller', from: '2026-03-04', to: '2026-03-04' });
    expect(next.previous).toEqual(earned.totals);
  });

  it.each([
    // 18:30 UTC is midnight in India, 18:15 UTC in Nepal, 03:30 UTC in Newfoundland in winter.
    ['Asia/Kolkata', '00:30', '2026-03-03T18:59:59Z', '2026-03-03T19:00:00Z'],
    ['Asia/Kathmandu', '00:45', '2026-03-03T18:59:59Z', '2026-03-03T19:00:00Z'],
    ['America/St_Johns', '00:30', '2026-03-04T03:59:59Z', '2026-03-04T04:00:00Z'],
  ])('begin when the report says in %s', async (timezone, dayStart, before, after) => {
    const [seller, buyer] = await pair();
    const product = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };
    const { ad, website } = await makeLiveAd(seller, buyer, { product });
    await countAt(server.ctx, ad, before, 3, 1);
    await countAt(server.ctx, ad, after, 5, 2);
    for (const user of [buyer, seller]) await chooseTimezone(user, timezone);
    const days = { from: '2026-03-03', to: '2026-03-04' };
    const shown = await seriesOf(buyer, { side: 'buyer', ...days });
    expect(shown).toMatchObject({
      timezone,
      dayStart,
      buckets: [
        { start: '2026-03-03', impressions: 3, clicks: 1, amount: '3.00' },
        { start: '2026-03-04', impressions: 5, clicks: 2, amount: '5.00' },
      ],
    });
    const earned = await seriesOf(seller, { side: 'seller', ...days });
    expect(earned.dayStart).toBe(dayStart);
    expect(earned.buckets.map(({ amount }) => amount)).toEqual(['2.55', '4.25']);
    const counting = await seller.get(addressOf('counting', { side: 'seller', ...days, step: 'day' }));
    expect(counting.body).toMatchObject({
      dayStart,
      buckets: [{ views: { counted: 3 } }, { views: { counted: 5 } }],
    });
    const one = await breakdownOf(buyer, { side: 'buyer', from: days.to, to: days.to, by: 'campaign' });
    expect(one).toMatchObject([{ impressions: 5, clicks: 2 }]);
    const counts = `/api/analytics/two-counts?website=${website.publicId}&from=${days.from}&to=${days.to}`;
    expect((await seller.get(counts)).body).toMatchObject({ timezone, dayStart });
    await chooseTimezone(buyer, 'Tokyo');
    expect(await seriesOf(buyer, { side: 'buyer', ...days })).toMatchObject({ dayStart: '00:00' });
  });

  // Proves FIG-03
  it('include a payment made exactly at midnight', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await chooseTimezone(buyer, 'Asia/Tokyo');
    await payAt(server, ad, '2026-03-03T15:00:00Z');
    const { buckets } = await seriesOf(buyer, { side: 'buyer', from: '2026-03-03', to: '2026-03-04' });
    expect(buckets.map(({ paid }) => paid)).toEqual(['0.00', '100.00']);
    const alone = await seriesOf(buyer, { side: 'buyer', from: '2026-03-04', to: '2026-03-04' });
    expect(alone.buckets.map(({ paid }) => paid)).toEqual(['100.00']);
  });

  it('have 23 hours when summer time begins, and 25 when it ends', async () => {
    const [seller, buyer] = await pair();
    await chooseTimezone(buyer, 'America/New_York');
    const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 365 } });
    // 8 March 2026 is from 05:00 UTC (UTC-5) to 04:00 UTC (UTC-4).
    for (const [at, count] of [
      ['2026-03-08T04:59:00Z', 1],
      ['2026-03-08T05:00:00Z', 2],
      ['2026-03-08T06:30:00Z', 4],
      ['2026-03-08T07:00:00Z', 8],
      ['2026-03-09T03:59:00Z', 16],
      ['2026-03-09T04:00:00Z', 32],
    ] as const) {
      await countAt(server.ctx, ad, at, count);
    }
    expect(views(await seriesOf(buyer, { side: 'buyer', from: '2026-03-07', to: '2026-03-09' }))).toEqual([
      ['2026-03-07', 1],
      ['2026-03-08', 30],
      ['2026-03-09', 32],
    ]);
    // 1 November 2026 is from 04:00 UTC (UTC-4) to 05:00 UTC (UTC-5), with 01:00 to 02:00 twice.
    for (const [at, count] of [
      ['2026-11-01T03:59:00Z', 1],
      ['2026-11-01T04:00:00Z', 2],
      ['2026-11-01T05:30:00Z', 4],
      ['2026-11-01T06:30:00Z', 8],
      ['2026-11-02T04:59:00Z', 16],
      ['2026-11-02T05:00:00Z', 32],
    ] as const) {
      await countAt(server.ctx, ad, at, count);
    }
    expect(views(await seriesOf(buyer, { side: 'buyer', from: '2026-10-31', to: '2026-11-02' }))).toEqual([
      ['2026-10-31', 1],
      ['2026-11-01', 30],
      ['2026-11-02', 32],
    ]);
    const weeks = await seriesOf(buyer, {
      side: 'buyer',
      from: '2026-10-26',
      to: '2026-11-08',
      step: 'week',
    });
    expect(views(weeks)).toEqual([
      ['2026-10-26', 31],
      ['2026-11-02', 32],
    ]);
  });

  it('add up to weeks from Monday and to calendar months, without days outside the range', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 120 } });
    for (const [at, count] of [
      ['2026-03-31T12:00:00Z', 1],
      ['2026-04-04T12:00:00Z', 2],
      ['2026-04-05T23:59:00Z', 4],
      ['2026-04-06T00:00:00Z', 8],
      ['2026-04-30T23:00:00Z', 16],
      ['2026-06-01T00:00:00Z', 32],
    ] as const) {
      await countAt(server.ctx, ad, at, count);
    }
    // 4 April 2026 is a Saturday.
    const weeks = await seriesOf(buyer, {
      side: 'buyer',
      from: '2026-04-04',
      to: '2026-04-20',
      step: 'week',
    });
    expect(views(weeks)).toEqual([
      ['2026-03-30', 6],
      ['2026-04-06', 8],
      ['2026-04-13', 0],
      ['2026-04-20', 0],
    ]);
    const months = await seriesOf(buyer, {
      side: 'buyer',
      from: '2026-04-01',
      to: '2026-06-30',
      step: 'month',
    });
    expect(views(months)).toEqual([
      ['2026-04-01', 30],
      ['2026-05-01', 0],
      ['2026-06-01', 32],
    ]);
  });

  it('are UTC days for a user who has not chosen a timezone', async () => {
    const buyer = await server.signIn('buyer');
    await server.ctx.db.deleteFrom('userSettings').where('userId', '=', buyer.user.id).execute();
    const empty = await seriesOf(buyer, { side: 'buyer', from: '2026-03-02', to: '2026-03-02' });
    expect(empty).toMatchObject({
      timezone: 'UTC',
      buckets: [{ start: '2026-03-02', impressions: 0, clicks: 0, amount: '0.00', paid: '0.00' }],
    });
  });

  it('count neither uncounted events nor decisions', async () => {
    const [seller, buyer] = await pair();
    const { ad } = await makeLiveAd(seller, buyer, month);
    await countAt(server.ctx, ad, '2026-03-03T10:00:00Z', 2, 1);
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n) values
      ('2026-03-03T10:00:00Z', ${ad.id}, ${ad.adZoneId}, 'view', 'bot', 70),
      ('2026-03-03T10:00:00Z', ${ad.id}, ${ad.adZoneId}, 'click', 'frequency', 70),
      ('2026-03-03T10:00:00Z', ${ad.id}, ${ad.adZoneId}, 'decision', '', 70)`.execute(server.ctx.db);
    const { buckets } = await seriesOf(buyer, { side: 'buyer', from: '2026-03-03', to: '2026-03-03' });
    expect(buckets).toMatchObject([{ impressions: 2, clicks: 1 }]);
    expect(
      await breakdownOf(buyer, { side: 'buyer', from: '2026-03-03', to: '2026-03-03', by: 'campaign' }),
    ).toMatchObject([{ impressions: 2, clicks: 1 }]);
  });
});

describe('requests for figures', () => {
  it('get 401 for a visitor', async () => {
    const query = { side: 'buyer', from: '2026-03-02', to: '2026-03-02', step: 'day', by: 'zone' };
    for (const call of ['series', 'breakdown'] as const) {
      expect((await server.anyone().get(addressOf(call, query))).status).toBe(401);
    }
  });

  it.each([
    [{ from: '2026-03-03', to: '2026-03-02' }, 'The first day must not be after the last day'],
    [{ from: '1999-12-31' }, 'Please choose days from 2000 to 2199'],
    [{ to: '2200-01-01' }, 'Please choose days from 2000 to 2199'],
    [{ to: '9999-12-31' }, 'Please choose days from 2000 to 2199'],
    [{ from: '0000-01-01' }, 'Please choose days from 2000 to 2199'],
    [{ from: '2026-02-30' }, undefined],
    [{ from: '' }, undefined],
    [{ side: 'owner' }, undefined],
    [{ campaign: '7' }, undefined],
  ])('get 400 for %j', async (wrong, message) => {
    const buyer = await server.signIn('buyer');
    const query = {
      side: 'buyer',
      from: '2026-03-02',
      to: '2026-03-02',
      step: 'month',
      by: 'zone',
      ...wrong,
    };
    for (const call of ['series', 'breakdown'] as const) {
      const answer = await buyer.get(addressOf(call, query));
      expect(answer.status).toBe(400);
      if (message !== undefined) expect(answer.body.message).toBe(message);
    }
  });

  it('get 400 with advice for more than 400 buckets', async () => {
    const buyer = await server.signIn('buyer');
    const ask = (query: Query) => buyer.get(addressOf('series', { side: 'buyer', ...query }));
    for (const [step, last, beyond] of [
      ['day', '2026-02-04', '2026-02-05'],
      // 1 January 2025 is a Wednesday, so its week begins in 2024.
      ['week', '2032-08-29', '2032-08-30'],
      ['month', '2058-04-30', '2058-05-01'],
    ] as const) {
      const full = await ask({ from: '2025-01-01', to: last, step });
      expect([step, full.status, full.body.buckets?.length]).toEqual([step, 200, 400]);
      const tooMany = await ask({ from: '2025-01-01', to: beyond, step });
      expect([tooMany.status, tooMany.body.message]).toEqual([
        400,
        `At most 400 ${step}s can be shown. Choose a shorter range or larger steps.`,
      ]);
    }
  });
});
