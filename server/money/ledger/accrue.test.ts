/** Earnings by delivery: the hourly job, every end, pauses and silent days, withdrawn traffic. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueAd, accrueDue, deliveredUnits, earnedAt } from './accrue.ts';

const server = useOwnServer({ start: new Date('2026-03-02T00:00:00Z') });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

const at = (instant: Date) => ({ ...server.ctx, now: () => instant });
const startOf = (ad: Ad) => new Date(ad.startDate as string);
const live = async (product: Record<string, unknown>) => await makeLiveAd(seller, buyer, { product });

async function accrue(ad: Ad, instant: Date) {
  return await server.ctx.db
    .transaction()
    .execute(async (tx) => await accrueAd(at(instant), tx, ad.id, instant));
}

/** The entries of an ad, as 'kind from-to publisher commission'. */
async function entriesOf(ad: Ad): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s %s-%s %s %s', t.kind, t.meta ->> 'from', t.meta ->> 'to',
        -coalesce(sum(p.amount_cents) filter (where a.kind in ('publisher_payable', 'publisher_receivable')), 0),
        -coalesce(sum(p.amount_cents) filter (where a.kind = 'commission'), 0)) as line
      from ledger_tx t join ledger_postings p on p.tx_id = t.id join ledger_accounts a on a.id = p.account_id
      where t.ad_id = ${ad.id} and t.kind in ('accrual', 'correction')
      group by t.id order by t.id`.execute(server.ctx.db);
  return rows.map(({ line }) => line);
}

async function addRequests(zone: AdZone, from: Date, hours: number): Promise<void> {
  await sql`
    insert into delivery_hourly (hour, zone_id, kind, reason, n)
      select date_trunc('hour', ${from}::timestamptz) + hour * interval '1 hour', ${zone.id}, 'decision', '', 1
        from generate_series(0, ${hours - 1}::integer) as hour`.execute(server.ctx.db);
}

describe('an ad with a goal', () => {
  // Proves LEDG-02
  it('earns the counted part each hour, and everything at its end', async () => {
    const { ad } = await live({
      pricingModel: 'per_impression',
      duration: null,
      impressions: 1000,
      price: '33.33',
    });
    const hour = (n: number) => later(startOf(ad), n * HOUR_MS);
    await countAt(server.ctx, ad, hour(0).toISOString(), 100, 0);
    expect(await accrueDue(at(later(hour(1), -1000)))).toBe(0);
    expect(await entriesOf(ad)).toEqual([]);
    expect(await accrueDue(at(hour(1)))).toBe(1);
    // Nothing is counted in the second hour.
    expect(await accrueDue(at(hour(2)))).toBe(1);
    expect(await accrueDue(at(hour(2)))).toBe(0);
    await countAt(server.ctx, ad, hour(2).toISOString(), 1, 0);
    await countAt(server.ctx, ad, later(hour(2), 500).toISOString(), 899, 0);
    // The end is accrued at once.
    expect(await accrueDue(at(later(hour(2), 1000)))).toBe(1);
    expect(await accrueDue(at(hour(99)))).toBe(0);
    expect(await entriesOf(ad)).toEqual(['accrual 0-100 283 50', 'accrual 100-1000 2550 450']);
    expect(await deliveredUnits(server.ctx.db, ad.id, hour(3))).toBe(1000);
  });

  // Proves LEDG-02
  it('earns before the hour is over if the operator asks for it', async () => {
    const { ad } = await live({ pricingModel: 'per_click', duration: null, clicks: 10 });
    const now = later(startOf(ad), 60_000);
    await countAt(server.ctx, ad, now.toISOString(), 3, 3);
    expect(await accrueDue(at(now))).toBe(0);
    await accrueDue(at(now), { early: true });
    expect(await entriesOf(ad)).toEqual(['accrual 0-3 2550 450']);
  });

  // Proves LEDG-02
  it('posts nothing for units that do not make a cent, and loses none of them', async () => {
    const { ad } = await live({ pricingModel: 'per_click', duration: null, clicks: 1000, price: '1.00' });
    const start = startOf(ad);
    for (let click = 1; click <= 24; click++) {
      await countAt(server.ctx, ad, later(start, click * 1000).toISOString(), 1, 1);
      await accrue(ad, later(start, click * 1000));
    }
    // 85 cents for 1,000 clicks: the 12th and the 24th complete a cent. 15 cents of commission need 67.
    expect(await entriesOf(ad)).toEqual(['accrual 0-12 1 0', 'accrual 12-24 1 0']);
    expect(await earnedAt(server.ctx.db, ad.id, start)).toEqual({
      units: 24,
      bought: 1000,
      publisherCents: 2,
      commissionCents: 0,
    });
  });

  // Proves LEDG-03
  it('gives withdrawn traffic back by a correction, and earns it again when that is overruled', async () => {
    const { ad } = await live({ pricingModel: 'per_impression', duration: null, impressions: 100 });
    const start = startOf(ad);
    await countAt(server.ctx, ad, start.toISOString(), 100, 0);
    const now = later(start, HOUR_MS);
    await accrueDue(at(now));
    const hour = new Date(Math.floor(start.getTime() / HOUR_MS) * HOUR_MS);
    const { rows } = await sql<{ id: number }>`select withdraw_traffic(${now}, ${ad.adZoneId}, ${hour},
      ${later(hour, HOUR_MS)}, '[{"signal": "network", "value": 1, "bound": 0}]') as id`.execute(
      server.ctx.db,
    );
    expect(await accrueDue(at(later(now, 1000)))).toBe(1);
    await sql`select overrule_withdrawal(${now}, ${rows[0]?.id}, 'operator', 'They were people')`.execute(
      server.ctx.db,
    );
    expect(await accrueDue(at(later(now, 2000)))).toBe(1);
    expect(await entriesOf(ad)).toEqual([
      'accrual 0-100 8500 1500',
      'correction 100-0 -8500 -1500',
      'accrual 0-100 8500 1500',
    ]);
  });
});

describe('an ad by the day', () => {
  // Proves LEDG-02
  it('earns each second of its clock, and nothing while it is paused', async () => {
    const { zone, ad } = await live({ duration: 2 });
    const start = startOf(ad);
    const who = { id: seller.user.id, role: 'seller' } as const;
    const hour = (n: number) => later(start, n * HOUR_MS);
    const units = async (n: number) => await deliveredUnits(server.ctx.db, ad.id, hour(n));
    await addRequests(zone, start, 240);
    expect([await units(0), await units(1), await units(24.5)]).toEqual([0, 3600, 88_200]);
    await changeZone(at(hour(6)), who, { params: { ref: { id: zone.id } }, body: { isActive: false } });
    expect([await units(5), await units(6), await units(100)]).toEqual([18_000, 21_600, 21_600]);
    await changeZone(at(hour(100)), who, { params: { ref: { id: zone.id } }, body: { isActive: true } });
    expect([await units(100), await units(101), await units(142), await units(999)]).toEqual([
      21_600, 25_200, 172_800, 172_800,
    ]);
    await accrue(ad, hour(101));
    await completeDueAds(at(hour(142)), hour(142));
    await accrueDue(at(hour(142)));
    expect(await entriesOf(ad)).toEqual(['accrual 0-25200 1239 218', 'accrual 25200-172800 7261 1282']);
  });

  // Proves LEDG-02
  it('earns nothing on a day without an ad request, before and after the day is judged', async () => {
    const { zone, ad } = await live({ duration: 2 });
    const start = startOf(ad);
    const hour = (n: number) => later(start, n * HOUR_MS);
    const units = async (n: number) => await deliveredUnits(server.ctx.db, ad.id, hour(n));
    expect([await units(23), await units(47), await units(500)]).toEqual([0, 0, 0]);
    // The third day has requests, from its tenth hour on.
    await addRequests(zone, hour(58), 3);
    const before = [await units(47), await units(49), await units(60), await units(72), await units(90)];
    expect(before).toEqual([0, 3600, 43_200, 86_400, 86_400]);
    await extendForSilentDays(at(hour(73)), hour(73));
    expect([await units(73), await units(90), await units(500)]).toEqual([86_400, 86_400, 86_400]);
    await addRequests(zone, hour(97), 1);
    expect([await units(98), await units(120), await units(999)]).toEqual([93_600, 172_800, 172_800]);
  });

  // Proves LEDG-02
  it('earns nothing without an ad request, however often the zone is paused', async () => {
    const { zone, ad } = await live({ duration: 2 });
    const start = startOf(ad);
    const who = { id: seller.user.id, role: 'seller' } as const;
    const hour = (n: number) => later(start, n * HOUR_MS);
    for (let day = 0; day < 4; day++) {
      for (const [n, isActive] of [
        [22, false],
        [23, true],
      ] as const)
        await changeZone(at(hour(24 * day + n)), who, {
          params: { ref: { id: zone.id } },
          body: { isActive },
        });
      await extendForSilentDays(at(hour(24 * day + 23)), hour(24 * day + 23));
      expect(await deliveredUnits(server.ctx.db, ad.id, hour(24 * day + 23.5))).toBe(0);
    }
  });

  // Proves LEDG-03
  it('loses an hour for each hour whose traffic was withdrawn', async () => {
    const { zone, ad } = await live({ duration: 2 });
    const start = startOf(ad);
    await addRequests(zone, start, 24);
    await countAt(server.ctx, ad, start.toISOString(), 7, 0);
    const now = later(start, 5 * HOUR_MS);
    await accrue(ad, now);
    const hour = new Date(Math.floor(start.getTime() / HOUR_MS) * HOUR_MS);
    await sql`select withdraw_traffic(${now}, ${ad.adZoneId}, ${hour}, ${later(hour, HOUR_MS)},
      '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(server.ctx.db);
    await accrueDue(at(now));
    expect(await entriesOf(ad)).toEqual(['accrual 0-18000 885 156', 'correction 18000-14400 -177 -31']);
  });
});

// Proves LEDG-02
it('goes on with the next ad when one fails, and tries the failed one again later', async () => {
  const [one, two] = [await live({ duration: 2 }), await live({ duration: 2 })];
  const now = later(startOf(two.ad), DAY_MS);
  for (const { zone, ad } of [one, two]) await addRequests(zone, startOf(ad), 48);
  // A name that the entry of the first ad needs is taken.
  await server.ctx.db
    .updateTable('adEarnings')
    .set({ entries: 7, dueAt: startOf(one.ad) })
    .where('adId', '=', one.ad.id)
    .execute();
  const taken = `${one.ad.id}:8:0-${await deliveredUnits(server.ctx.db, one.ad.id, now)}`;
  await sql`with t as (insert into ledger_tx (kind, external_ref, occurred_at) values ('accrual', ${taken}, now()) returning id),
      a as (insert into ledger_accounts (kind, owner_id, currency, book) values ('bank', null, 'USD', 'sandbox'), ('fx', null, 'USD', 'sandbox') returning id)
    insert into ledger_postings (tx_id, account_id, amount_cents)
      select t.id, a.id, case row_number() over (order by a.id) when 1 then 1 else -1 end from t, a`.execute(
    server.ctx.db,
  );
  await accrueDue(at(now));
  expect(await entriesOf(one.ad)).toEqual([]);
  expect(await entriesOf(two.ad)).toHaveLength(1);
  await accrueDue(at(later(now, HOUR_MS)));
  expect(await entriesOf(one.ad)).toHaveLength(1);
});
