import type { getActiveZones, getEarnings, getSpending } from '#domain/analytics/contract.ts';
import { firstOfMonth } from '#domain/analytics/months.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '../context.ts';
import { countActiveZones, sumDelivered, sumDeliveredSince, sumEarnings, sumSpending } from './store.ts';
import { viewMoney } from './view.ts';

const startOfMonth = (ctx: Context): Date => new Date(firstOfMonth(ctx.now()));

/** Earnings from paid ads in the user's own zones, less the publisher's share of refunds and lost disputes. [OP-097] */
export async function earnings(ctx: Context, who: Caller): Promise<Reply<typeof getEarnings>> {
  const { total, thisMonth } = await sumEarnings(ctx.db, who.id, startOfMonth(ctx));
  return { totalEarnings: viewMoney(total), thisMonth: viewMoney(thisMonth) };
}

/** Spending on the user's own paid ads, less refunds, and what these ads delivered. [OP-044, OP-097] */
export async function spending(ctx: Context, who: Caller): Promise<Reply<typeof getSpending>> {
  const [money, delivered, month] = await Promise.all([
    sumSpending(ctx.db, who.id, startOfMonth(ctx)),
    sumDelivered(ctx.db, who.id),
    sumDeliveredSince(ctx.db, who.id, firstOfMonth(ctx.now())),
  ]);
  return {
    totalSpending: viewMoney(money.total),
    thisMonth: viewMoney(money.thisMonth),
    totalImpressions: Number(delivered.impressions),
    totalClicks: Number(delivered.clicks),
    impressionsThisMonth: Number(month.impressions),
    clicksThisMonth: Number(month.clicks),
  };
}

export async function activeZones(ctx: Context, who: Caller): Promise<Reply<typeof getActiveZones>> {
  return { count: await countActiveZones(ctx.db, who.id) };
}
