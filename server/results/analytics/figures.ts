import type { getActiveZones, getEarnings, getSpending, Side } from '#domain/analytics/contract.ts';
import { firstOfMonth } from '#domain/analytics/months.ts';
import type { Reply } from '#domain/endpoint.ts';
import { partOf } from '#domain/payments/ad-ledger.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { inSnapshot, type Tx } from '#server/platform/database/database.ts';
import { unpostedHours } from '#server/money/ledger/accrue.ts';
import {
  countActiveZones,
  listDueSales,
  sumDelivered,
  sumDeliveredSince,
  sumSales,
  sumSalesOf,
} from './store.ts';
import { moneyReply } from './reply.ts';

const LEDGER_SIDE = { buyer: 'buyer', seller: 'publisher' } as const;

const startOfMonth = (ctx: Context): Date => new Date(firstOfMonth(ctx.now()));

/** Earnings from paid ads in the user's own zones, less the publisher's share of refunds and lost disputes. [OP-097] */
export async function earnings(ctx: Context, who: Caller): Promise<Reply<typeof getEarnings>> {
  return await inSnapshot(ctx.db, async (tx) => {
    const { total, ...parts } = await moneyOf(ctx, tx, who, 'seller');
    return { totalEarnings: total, ...parts };
  });
}

/** Spending on the user's own paid ads, less refunds, and what these ads delivered. [OP-044, OP-097] */
export async function spending(ctx: Context, who: Caller): Promise<Reply<typeof getSpending>> {
  return await inSnapshot(ctx.db, async (tx) => {
    const { total, ...parts } = await moneyOf(ctx, tx, who, 'buyer');
    const delivered = await sumDelivered(tx, who.id);
    const month = await sumDeliveredSince(tx, who.id, firstOfMonth(ctx.now()));
    return {
      totalSpending: total,
      ...parts,
      totalImpressions: Number(delivered.impressions),
      totalClicks: Number(delivered.clicks),
      impressionsThisMonth: Number(month.impressions),
      clicksThisMonth: Number(month.clicks),
    };
  });
}

/** The sales of a website, of an ad zone, or of one ad: the price that advertisers paid, and the publisher's part. */
export async function salesOf(
  ctx: Context,
  thing: { of: 'website' | 'zone' | 'ad'; id: number },
): Promise<{ spend: string; earnings: string }> {
  const { spend, earnings: earned } = await sumSalesOf(ctx.db, { ...thing, book: ctx.payments.book });
  return { spend: moneyReply(spend), earnings: moneyReply(earned) };
}

/** One side's sums at the present moment: total = delivered + notDelivered. [FIG-02] */
async function moneyOf(ctx: Context, tx: Tx, who: Caller, side: Side) {
  const of = { side, userId: who.id, book: ctx.payments.book };
  const { total, delivered, thisMonth } = await sumSales(tx, of, startOfMonth(ctx));
  const unposted = await unpostedHours(tx, await listDueSales(tx, of), ctx.now());
  const deliveredCents = unposted.reduce(
    (sum, hour) => sum + partOf(LEDGER_SIDE[side], hour),
    Number(delivered),
  );
  return {
    total: moneyReply(total),
    delivered: moneyReply(deliveredCents),
    notDelivered: moneyReply(Number(total) - deliveredCents),
    thisMonth: moneyReply(thisMonth),
  };
}

export async function activeZones(ctx: Context, who: Caller): Promise<Reply<typeof getActiveZones>> {
  return { count: await countActiveZones(ctx.db, who.id) };
}
