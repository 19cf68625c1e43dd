/** The console's figures against SQL written apart from it: from events, documents and the ledger instead of sums by hour. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { figuresOf, figureText, type Overview, type PeriodFigures } from '#domain/operator/overview.ts';
import { HOUR_MS, hourOf } from '#domain/time.ts';
import { tellAlarms } from '#server/money/books/alarms.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt, refundPart, sumOfMoney } from '#server/testing/figures.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '#server/testing/story.ts';
import { daysOf } from './overview.ts';

const DAY_SECONDS = 86_400;
const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };

const server = useOwnServer();
let desk: Client;
beforeAll(async () => {
  await playMarket();
  desk = (await makeOperator(server)).client;
});

const wait = async (seconds: number) => await server.anyone().post('/dev/clock', { advance: seconds });
const now = () => server.ctx.now().toISOString();
const postEarnings = async () => await accrueDue(server.ctx, { early: true });

/** Events that no visitor of a test makes. */
async function count(ad: Ad, kind: string, reason: string, n: number, isFilled = true): Promise<void> {
  const hour = new Date(hourOf(server.ctx.now().getTime()));
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
    values (${hour}, ${isFilled ? ad.id : null}, ${ad.adZoneId}, ${kind}, ${reason}, ${n})`.execute(
    server.ctx.db,
  );
}

/** Two publishers and three advertisers trade in two periods of 30 days. */
async function playMarket(): Promise<void> {
  const { ctx } = server;
  const [old, young] = [await server.signIn('seller'), await server.signIn('seller')];
  const [first, second, third] = [
    await server.signIn('buyer'),
    await server.signIn('buyer'),
    await server.signIn('buyer'),
  ];
  const { ad: a } = await makeLiveAd(old, first, { product: VIEWS });
  const { ad: b } = await makeLiveAd(old, second, {
    product: { pricingModel: 'per_click', clicks: 10, duration: null, price: '50.00' },
    website: { name: 'Another site' },
  });
  await countAt(ctx, a, now(), 40);
  await countAt(ctx, b, now(), 8, 4);
  await count(a, 'decision', '', 10);
  await count(a, 'decision', '', 30, false);
  await postEarnings();
  const { refundAmount } = (await second.get(`/api/ads/${b.publicId}/refund-quote`)).body;
  expect((await second.post(`/api/ads/${b.publicId}/cancel`, { refundAmount })).status).toBe(200);

  await wait(35 * DAY_SECONDS);
  const zone = await makeZone(young, await makeWebsite(young));
  const product = await makeProduct(young, zone, { ...VIEWS, price: '200.00' });
  const [quick, c, slow] = [
    await makeAd(third, product),
    await makeAd(third, product),
    await makeAd(first, product),
  ];
  await approve(young, quick);
  await wait(6 * 3600);
  await approve(young, c);
  await pay(third, c);
  await countAt(ctx, a, now(), 10);
  await countAt(ctx, c, now(), 20);
  await refundPart(server, a, 500);
  for (const [reason, n] of [
    ['data_center', 6],
    ['duplicate', 3],
    ['over_goal', 2],
  ] as const)
    await count(c, 'view', reason, n);
  await count(c, 'decision', '', 80);
  await count(c, 'decision', '', 20, false);
  await count(c, 'decision', 'bot', 50, false);
  await wait(2 * 3600);
  await approve(young, slow);
  await pay(first, slow);
  await countAt(ctx, c, now(), 5);
  await postEarnings();
  const hour = new Date(hourOf(ctx.now().getTime()));
  await sql`select withdraw_traffic(${ctx.now()}, ${c.adZoneId}, ${hour}, ${new Date(hour.getTime() + HOUR_MS)},
    '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(ctx.db);
  await postEarnings();
}

async function openslot(...words: string[]) {
  return await runOpenslot(words, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
  });
}

const overview = async (...words: string[]): Promise<Overview> =>
  JSON.parse((await openslot('overview', '--json', ...words)).out);

/** The figures of a period by other tables and other rules. */
async function apart({ from, to }: { from: string; to: string }): Promise<PeriodFigures> {
  const inDays = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD')
    between ${from} and ${to}`;
  const { rows } = await sql<Record<string, string>>`
    with events as (
      select e.ad_id, e.kind from ad_events e where e.reason is null and ${inDays('e.issued_at')}
    ), priced as (
      select a.id, case a.pricing_model when 'per_click' then 'click' else 'view' end as kind,
          coalesce(a.impressions, a.clicks) as units, a.total_amount, a.commission_amount
        from ads a
    ), units as (
      select p.*, (select count(*) from events e where e.ad_id = p.id and e.kind = p.kind)
          - coalesce((select sum(w.n) from withdrawn_hours w where w.ad_id = p.id and w.kind = p.kind and ${inDays('w.hour')}), 0) as n
        from priced p
    ), receipts as (
      select user_id, payment_id, amount_cents, min(issued_at) over (partition by user_id) as first, issued_at
        from documents where kind = 'receipt'
    )
    select
      (select sum(amount_cents) / 100.0 from receipts where ${inDays('issued_at')})::numeric(9, 2) as sales,
      (select sum(n * commission_amount / units) from units)::numeric(9, 2) as revenue,
      (select round(sum(n * commission_amount / units) / sum(n * total_amount / units), 4) from units) as "takeRate",
      (select -sum(p.amount_cents) / 100.0 from ledger_postings p
          join ledger_accounts c on c.id = p.account_id and c.kind = 'refund_payable'
          join ledger_tx t on t.id = p.tx_id
        where p.amount_cents < 0 and ${inDays('t.occurred_at')})::numeric(9, 2) as refunds,
      (select count(distinct w.user_id) from events e join ads a on a.id = e.ad_id
        join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id) as publishers,
      (select count(distinct a.user_id) from events e join ads a on a.id = e.ad_id) as advertisers,
      (select count(*) from (select min(created_at) as first from websites group by user_id) s
        where ${inDays('first')}) as "newPublishers",
      (select count(distinct user_id) from receipts where ${inDays('first')}) as "newAdvertisers",
      (select round(1 - sum(n) filter (where ad_id is null) / sum(n), 4) from delivery_hourly
        where kind = 'decision' and reason <> 'bot' and ${inDays('hour')}) as fill,
      (select round((coalesce(sum(n) filter (where reason = 'data_center'), 0)
          + coalesce((select sum(n) from withdrawn_hours where ${inDays('hour')}), 0)) / sum(n), 4)
        from delivery_hourly
        where kind not in ('decision', 'rendered') and reason <> 'duplicate' and ${inDays('hour')}) as invalid,
      (select extract(epoch from waited) / 3600 from (
          select approved_at - review_since as waited, count(*) over () as n,
              row_number() over (order by approved_at - review_since) as place
            from ads where ${inDays('approved_at')}) as approved
        where place = (n + 1) / 2) as hours`.execute(server.owner);
  const [row = {}] = rows;
  return {
    sales: String(row['sales']),
    revenue: String(row['revenue']),
    takeRate: Number(row['takeRate']),
    publishers: { active: Number(row['publishers']), new: Number(row['newPublishers']) },
    advertisers: { active: Number(row['advertisers']), new: Number(row['newAdvertisers']) },
    fill: Number(row['fill']),
    hoursToApproval: Math.round(Number(row['hours'])),
    refunds: String(row['refunds']),
    invalidShare: Number(row['invalid']),
  };
}

describe('the business at a glance', () => {
  it('says of two periods of UTC days what SQL written apart from it says: sales, revenue, fill, approval, refunds, invalid share', async () => {
    const { from, to, previous, uncovered, taxOwed, currency, days, ...figures } = await overview();
    expect(to).toBe(now().slice(0, 10));
    expect(days.map(({ day }) => day)).toHaveLength(30);
    expect([days[0]?.day, days.at(-1)?.day]).toEqual([from, to]);
    expect(figures).toEqual(await apart({ from, to }));
    expect(figures).toEqual({
      sales: '400.00',
      revenue: '7.50',
      takeRate: 0.15,
      publishers: { active: 2, new: 1 },
      advertisers: { active: 2, new: 1 },
      fill: 0.8,
      hoursToApproval: 6,
      refunds: '5.00',
      invalidShare: 0.2558,
    });
    const { from: start, to: end, ...before } = previous;
    expect(before).toEqual(await apart({ from: start, to: end }));
    expect(before).toMatchObject({ sales: '150.00', revenue: '9.00', refunds: '30.00', fill: 0.25 });
    expect(sumOfMoney(days.map(({ sales }) => sales))).toBe(figures.sales);
    expect(sumOfMoney(days.map(({ revenue }) => revenue))).toBe(figures.revenue);
    const books = JSON.parse((await openslot('money', 'books', '--json')).out);
    expect([uncovered, taxOwed, currency]).toEqual([books.covered.missing, '0.00', books.currency]);
  });

  it('takes the number of days, and refuses one that is none', async () => {
    const all = await overview('--days', '60');
    expect([all.sales, all.previous.sales, all.days.length]).toEqual(['550.00', '0.00', 60]);
    expect([all.previous.takeRate, all.previous.fill, all.previous.hoursToApproval]).toEqual([
      null,
      null,
      null,
    ]);
    expect(['1', '366', undefined].map(daysOf)).toEqual([1, 366, 30]);
    expect(['0', '367', '-1', 'x', '1.5', ''].map(daysOf)).toEqual(Array(6).fill(null));
    for (const days of ['0', '1.5'])
      expect(await openslot('overview', `--days=${days}`)).toMatchObject({ code: 2, out: '' });
  });

  it('is the same on the console, in its CSV file and on the command line', async () => {
    const figures = figuresOf(await overview());
    const today = async (query = '') => (await desk.get(`/api/operator/today${query}`)).body;
    expect((await today()).overview).toEqual(await overview());
    const lines = (await openslot('overview')).out;
    const file = await desk.get('/operator/overview.csv');
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = file.text.slice(1).trim().split('\r\n');
    expect(rows[0]).toBe('figure,value,previous');
    expect(rows).toHaveLength(figures.length + 4);
    for (const { name, label, unit, value, previous } of figures) {
      const text = figureText(unit, value, 'USD');
      expect(lines).toContain(`${label.padEnd(22)} ${text}`);
      expect(rows).toContain(`${name},${value ?? ''},${previous ?? ''}`);
    }
    expect((await today('?days=7')).overview.days).toHaveLength(7);
    for (const days of ['x', '0', '367'])
      expect((await desk.get(`/api/operator/today?days=${days}`)).status).toBe(400);
  });

  it('stands below what waits, of which empty queues are not shown', async () => {
    const queue = async () => (await desk.get('/api/operator/today')).body.queues;
    const traffic = { name: 'Withdrawn traffic that you can overrule', path: '/operator/withdrawals' };
    expect(await queue()).toEqual([{ ...traffic, count: expect.any(Number) }]);
    await sql`insert into ownership_claims (website_id, opened_at) select min(id), ${server.ctx.now()} from websites`.execute(
      server.owner,
    );
    expect(await queue()).toEqual([
      { name: 'Ownership claims', path: '/operator/claims', count: 1 },
      { ...traffic, count: expect.any(Number) },
    ]);
  });

  it('says what was the operator’s when the period before ended, if the books were summed up on that day', async () => {
    const yours = async () => {
      const { yours: now, yoursBefore: before } = (await desk.get('/api/operator/today?days=1')).body;
      return { now, before };
    };
    const { now: then, before } = await yours();
    expect(before).toBeNull();
    await tellAlarms(server.ctx);
    await wait(DAY_SECONDS);
    desk = (await makeOperator(server)).client;
    await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
    const later = await yours();
    expect(later.before).toBe(then);
    expect(Number(later.now)).toBeGreaterThan(Number(then));
  });
});
