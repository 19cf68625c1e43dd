/** Adds up every sum that one user can read about money, and compares it with what stands below it. [FIG-04] */
import { expect } from 'vitest';
import type { BreakdownRow, Figures, Side, Transaction } from '#domain/analytics/contract.ts';
import { dayIn } from '#domain/analytics/days.ts';
import { GROUPINGS } from '#domain/analytics/groupings.ts';
import { isPaid } from '#domain/ads/status.ts';
import { unitCostsOf } from '#domain/analytics/unit-costs.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Plan } from '#domain/plans/contract.ts';
import type { Payouts } from '#domain/payments/payout-contract.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import type { Client } from './client.ts';
import { addressOf, seriesOf, sumOf, sumOfMoney } from './figures.ts';
import type { TestServer } from './server.ts';
import { addDays } from '#domain/time.ts';

const ALL = { from: '2000-01-01', to: '2032-12-31' };

/**
 * Expects that all sums of one side of a user agree, at one instant: the cards, the series, the breakdowns, the list of
 * transactions, the balance, the ledgers of the ads and the statement. Returns the total.
 */
export async function expectSums(server: TestServer, client: Client, side: Side): Promise<string> {
  return await atOneInstant(server, async (today) => {
    const cards = await read(client, `/api/analytics/${side === 'buyer' ? 'spending' : 'earnings'}`);
    const total = side === 'buyer' ? cards.totalSpending : cards.totalEarnings;
    expect(sumOfMoney([cards.delivered, cards.notDelivered])).toBe(total);
    await expectSeries(client, side, { today, delivered: cards.delivered, total });
    const campaigns = await expectBreakdowns(client, side, today);
    const ledgers = await ledgersOf(client, side, campaigns);
    expect(sumOfMoney(ledgers.map(({ earned }) => earned))).toBe(cards.delivered);
    expect(sumOfMoney(ledgers.map(({ open }) => open))).toBe(cards.notDelivered);
    if (side === 'seller') {
      await expectTransactions(client, { ...cards, total });
      const { pending, available, held, paidOut, owed, tax } = await read<Payouts>(client, '/api/payouts');
      expect(sumOfMoney([pending, available, held, paidOut, `-${owed}`])).toBe(
        sumOfMoney([cards.delivered, tax]),
      );
    }
    if (side === 'buyer') await expectPlans(client);
    await expectStatement(client, side, today);
    return total;
  });
}

/** The clock of a test server goes on by itself, and an ad per day earns each second. */
async function atOneInstant<T>({ ctx }: TestServer, work: (today: string) => Promise<T>): Promise<T> {
  const { now } = ctx;
  const instant = now();
  ctx.now = () => instant;
  try {
    return await work(dayIn('UTC', instant));
  } finally {
    ctx.now = now;
  }
}

async function expectSeries(
  client: Client,
  side: Side,
  { today, delivered, total }: { today: string; delivered: string; total: string },
): Promise<void> {
  const all = await seriesOf(client, { side, ...ALL, step: 'month' });
  expect([all.totals.amount, all.totals.paid]).toEqual([delivered, total]);
  const ranges = [
    { ...ALL, step: 'month' },
    { from: addDays(today, -40), to: today, step: 'day' },
    { from: addDays(today, -90), to: addDays(today, -3), step: 'week' },
  ];
  for (const range of ranges) {
    const { buckets, totals, previous } = await seriesOf(client, { side, ...range });
    expect(sumOf(buckets)).toEqual(sumOf([totals]));
    for (const figures of [...buckets, totals, previous]) expectCosts(figures);
  }
  const week = await seriesOf(client, { side, from: addDays(today, -6), to: today });
  const before = await seriesOf(client, { side, from: addDays(today, -13), to: addDays(today, -7) });
  expect(week.previous).toEqual(before.totals);
}

function expectCosts({ impressions, clicks, amount, cpm, cpc, ctr }: Figures): void {
  const costs = unitCostsOf({ impressions, clicks, amountCents: centsOf(amount) });
  const textOf = (cents: number | null) => (cents === null ? null : decimalOf(cents));
  expect([cpm, cpc, ctr]).toEqual([textOf(costs.cpmCents), textOf(costs.cpcCents), costs.ctr]);
}

/** Returns all campaigns with figures. */
async function expectBreakdowns(client: Client, side: Side, today: string): Promise<BreakdownRow[]> {
  const days = { from: addDays(today, -9), to: addDays(today, -2) };
  for (const range of [ALL, days]) {
    const { totals } = await seriesOf(client, { side, ...range, step: 'month' });
    for (const by of GROUPINGS) {
      const rows = await allRows<BreakdownRow>(
        client,
        addressOf('breakdown', { side, ...range, by, limit: 3 }),
      );
      expect([by, sumOf(rows)]).toEqual([by, sumOf([totals])]);
      rows.forEach(expectCosts);
    }
  }
  const campaigns = await allRows<BreakdownRow>(
    client,
    addressOf('breakdown', { side, ...ALL, by: 'campaign' }),
  );
  for (const { publicId, ...row } of campaigns.slice(0, 3)) {
    const { totals } = await seriesOf(client, { side, ...ALL, step: 'month', campaign: publicId });
    expect(row).toMatchObject(totals);
  }
  return campaigns;
}

type LedgerSums = { total: string; earned: string; refunded: string; kept: string; open: string };

/** The ledger of each campaign, whose sums are those of its row in the breakdown. */
async function ledgersOf(
  client: Client,
  side: Side,
  campaigns: readonly BreakdownRow[],
): Promise<LedgerSums[]> {
  const ledgers: LedgerSums[] = [];
  for (const { publicId, amount, paid } of campaigns) {
    const query = side === 'buyer' ? 'buyer' : 'publisher';
    const ledger = await read<LedgerSums>(client, `/api/ads/${publicId}/ledger?side=${query}`);
    expect(ledger.earned).toBe(amount);
    expect(sumOfMoney([ledger.earned, ledger.open])).toBe(paid);
    expect(sumOfMoney([ledger.earned, ledger.open, ledger.refunded, ledger.kept])).toBe(ledger.total);
    ledgers.push(ledger);
  }
  return ledgers;
}

async function expectTransactions(
  client: Client,
  cards: { total: string; delivered: string; notDelivered: string },
): Promise<void> {
  const rows = await allRows<Transaction>(client, '/api/analytics/transactions');
  for (const { id, earnings, delivered, notDelivered } of rows) {
    expect(sumOfMoney([delivered, notDelivered])).toBe(earnings);
    const { earned, open } = await read<LedgerSums>(client, `/api/ads/${id}/ledger?side=publisher`);
    expect([delivered, notDelivered]).toEqual([earned, open]);
  }
  const sums = (name: 'earnings' | 'delivered' | 'notDelivered') => sumOfMoney(rows.map((row) => row[name]));
  expect([sums('earnings'), sums('delivered'), sums('notDelivered')]).toEqual([
    cards.total,
    cards.delivered,
    cards.notDelivered,
  ]);
}

/** A plan is the sum of its ads, and each of them says what its ledger says. */
async function expectPlans(client: Client): Promise<void> {
  for (const { ads, ...plan } of await allRows<Plan>(client, '/api/plans')) {
    const sums = (name: 'totalAmount' | 'paid' | 'delivered' | 'notDelivered' | 'refunded') =>
      sumOfMoney(ads.map((ad) => ad[name]));
    expect(plan).toMatchObject({
      total: sums('totalAmount'),
      paid: sums('paid'),
      delivered: sums('delivered'),
      notDelivered: sums('notDelivered'),
      refunded: sums('refunded'),
      impressions: ads.reduce((sum, { totalImpressions }) => sum + totalImpressions, 0),
      clicks: ads.reduce((sum, { totalClicks }) => sum + totalClicks, 0),
    });
    for (const ad of ads.filter(({ status }) => isPaid(status))) {
      const ledger = await read<LedgerSums>(client, `/api/ads/${ad.publicId}/ledger?side=buyer`);
      expect([ad.delivered, ad.notDelivered, ad.refunded, ad.paid]).toEqual([
        ledger.earned,
        ledger.open,
        ledger.refunded,
        ledger.total,
      ]);
    }
  }
}

async function expectStatement(client: Client, side: Side, today: string): Promise<void> {
  const of = side === 'buyer' ? 'buyer' : 'publisher';
  const month = await read<Statement>(client, `/api/statements/${today.slice(0, 7)}?side=${of}`);
  expect(sumOfMoney([month.opening, ...month.lines.map(({ amount }) => amount)])).toBe(month.closing);
}

async function allRows<Row>(client: Client, first: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let path: string | undefined = first; path;) {
    const answer = await client.get(path);
    expect(answer.status).toBe(200);
    rows.push(...(answer.body as Row[]));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return rows;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answers of several calls
async function read<T = any>(client: Client, path: string): Promise<T> {
  const answer = await client.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as T;
}
