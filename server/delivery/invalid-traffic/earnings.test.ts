/** Earnings of withdrawn traffic are corrected, owed and taken back. */
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Payouts } from '#domain/payments/payout-contract.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { payOut } from '#server/testing/money/payout-market.ts';
import { onboard, releaseHolds } from '#server/testing/money/payouts.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { withdrawInvalidTraffic } from './withdraw.ts';

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
/** How many networks, browsers and delays the views of an hour come from. */
const PEOPLE = [40, 6, 8] as const;
const CROWD = [200, 6, 8] as const;
const SCRIPT = [100, 1, 1] as const;

let day = Date.UTC(2026, 2, 1);
const env = { PAYOUT_HOLD_DAYS: '0', PAYOUT_FIRST_HOLD_DAYS: '0', PAYOUT_MINIMUM: '1.00' };
const server = useOwnServer({ start: new Date(day), env });
afterEach(async () => await requireBalance(server.ctx));

/** A publisher who can be paid, with a running ad of 0.085 for each view. Each test has days of its own. */
async function start(): Promise<{ seller: Client; buyer: Client; ad: Ad }> {
  day += 5 * 24 * HOUR_MS;
  server.clock.set(new Date(day));
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
  await releaseHolds(server, ad);
  await onboard(server.ctx, seller.user.id);
  return { seller, buyer, ad };
}

/** Views within an hour of the test, and the hourly jobs five minutes after it. Returns how many hours were withdrawn. */
async function hour(
  at: number,
  seen: { ad: Ad; views: number; from: readonly [number, number, number] } | null = null,
): Promise<number> {
  const began = new Date(day + at * HOUR_MS);
  if (seen !== null) {
    const { ad, views, from } = seen;
    await countAt(server.ctx, ad, began.toISOString(), views);
    const [networks, browsers, delays] = from;
    await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select ${began}::timestamptz, ${ad.adZoneId}, ${ad.id}, 'view', i % ${networks}::integer, i % ${browsers}::integer,
          i % ${delays}::integer, count(*)
        from generate_series(1, ${views}::integer) as i
        group by 5, 6, 7`.execute(server.ctx.db);
  }
  server.clock.set(new Date(began.getTime() + HOUR_MS + 5 * MINUTE_MS));
  await accrueDue(server.ctx, { early: true });
  const withdrawn = await withdrawInvalidTraffic(server.ctx);
  await accrueDue(server.ctx, { early: true });
  return withdrawn;
}

const balance = async (seller: Client): Promise<Payouts> =>
  (await seller.get('/api/payouts')).body as Payouts;
async function openslot(line: string) {
  const { command, args } = commandOf(line.split(' '));
  const options = { reason: 'A class of a university', dryRun: false };
  return await command.run({ ctx: server.ctx, operator: { id: null }, args, options });
}
// Proves SIVT-09
it('are corrected by the cluster alone, and the rest of the hour is paid', async () => {
  const { seller, ad } = await start();
  expect(await hour(2, { ad, views: 300, from: PEOPLE })).toBe(0);
  expect(await hour(3, { ad, views: 650, from: SCRIPT })).toBe(1);
  // Twelve of the 300 people have the script's browser and delay.
  expect(await balance(seller)).toMatchObject({
    available: '24.48',
    held: '0.00',
    pending: '0.00',
    holds: [],
  });
  await hour(4);
  expect((await payOut(seller)).body).toMatchObject({ amount: '24.48' });
});

// Proves SIVT-09
it('are free when the operator overrules the withdrawal of the zone', async () => {
  const { seller, ad } = await start();
  await hour(2, { ad, views: 300, from: SCRIPT });
  expect(await balance(seller)).toMatchObject({ available: '0.00', held: '0.00' });
  const { id } = await server.ctx.db
    .selectFrom('withdrawals')
    .select('id')
    .where('zoneId', '=', ad.adZoneId)
    .executeTakeFirstOrThrow();
  await openslot(`withdrawals overrule ${id}`);
  await hour(3);
  expect(await balance(seller)).toMatchObject({ available: '25.50', held: '0.00' });
});

/** Pays out the available earnings, and withdraws their traffic an hour later. */
async function payAndWithdraw({ seller, ad }: { seller: Client; ad: Ad }): Promise<void> {
  await hour(2, { ad, views: 300, from: CROWD });
  expect((await payOut(seller)).body).toMatchObject({ amount: '25.50' });
  await runPayouts(server.ctx);
  await hour(3, { ad, views: 600, from: CROWD });
  const [from, until] = [2, 4].map((at) => new Date(day + at * HOUR_MS));
  await sql`select withdraw_traffic(${server.clock.now()}, ${ad.adZoneId}, ${from}, ${until},
    '[{"signal": "tag", "value": 0, "bound": 0.02}]')`.execute(server.ctx.db);
  await accrueDue(server.ctx, { early: true });
  await runPayouts(server.ctx);
  expect(await balance(seller)).toMatchObject({ paidOut: '25.50', owed: '25.50', available: '0.00' });
}

// Proves PAYO-05, SIVT-09
it('that were paid out before they are withdrawn are owed, explained, and deducted from later earnings', async () => {
  const { seller, buyer, ad } = await start();
  await payAndWithdraw({ seller, ad });
  const { entries } = (await seller.get(`/api/ads/${ad.publicId}/ledger`)).body as {
    entries: { kind: string; notCounted: { reason: string; count: number }[] }[];
  };
  expect(entries.at(-1)).toMatchObject({
    kind: 'correction',
    notCounted: [{ reason: 'withdrawn', count: 900 }],
  });

  // The owed amount is deducted from the earnings of another campaign, and only the rest is paid out.
  const { ad: next } = await makeLiveAd(seller, buyer, { product: VIEWS });
  await releaseHolds(server, next);
  await hour(50, { ad: next, views: 200, from: PEOPLE });
  await runPayouts(server.ctx);
  expect(await balance(seller)).toMatchObject({ owed: '8.50', available: '0.00', pending: '0.00' });
  expect((await payOut(seller)).body).toMatchObject({ reason: 'below_minimum' });
  await hour(51, { ad: next, views: 200, from: PEOPLE });
  await runPayouts(server.ctx);
  expect(await balance(seller)).toMatchObject({ owed: '0.00', available: '8.50' });
  expect((await payOut(seller)).body).toMatchObject({ amount: '8.50' });
  await runPayouts(server.ctx);
  // The test may run over the end of a month.
  const months = new Set([new Date(day), server.clock.now()].map((at) => at.toISOString().slice(0, 7)));
  const lines: { kind: string; amount: string }[] = [];
  for (const month of months) lines.push(...(await seller.get(`/api/statements/${month}`)).body.lines);
  expect(lines.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
    'accrual 25.50',
    'transfer -25.50',
    'accrual 51.00',
    'correction -51.00',
    'correction -25.50',
    'accrual 17.00',
    'netting -17.00',
    'netting 17.00',
    'accrual 17.00',
    'netting -8.50',
    'netting 8.50',
    'transfer -8.50',
  ]);
});

// Proves PAYO-05
it('that were paid out before they are withdrawn are taken back when their campaign ends', async () => {
  const { seller, buyer, ad } = await start();
  await payAndWithdraw({ seller, ad });
  expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount: '100.00' })).status).toBe(200);
  await openslot('money run');
  expect(await balance(seller)).toMatchObject({ paidOut: '0.00', owed: '0.00', available: '0.00' });
  expect((await balance(seller)).history).toMatchObject([
    { amount: '25.50', status: 'reversed', message: expect.stringContaining('taken back') },
  ]);
});
