import type { getActiveZones, getEarnings, getSpending } from '#domain/analytics/contract.ts';
import { firstOfMonth } from '#domain/analytics/months.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import { countActiveZones, sumDelivered, sumDeliveredSince, sumEarnings, sumSpending } from './store.ts';
import { viewMoney } from './view.ts';

const beginOfMonth = (ctx: Context): Date => new Date(firstOfMonth(ctx.now()));

/** From paid ads on one's own zones, less the publisher's share of what was given back (OP-097). */
export async function earnings(ctx: Context, who: Who): Promise<Reply<typeof getEarnings>> {
  const { total, thisMonth } = await sumEarnings(ctx.db, who.id, beginOfMonth(ctx));
  return { totalEarnings: viewMoney(total), thisMonth: viewMoney(thisMonth) };
}

/** On one's own paid ads, less what was given back; and what they delivered (OP-044, OP-097). */
export async function spending(ctx: Context, who: Who): Promise<Reply<typeof getSpending>> {
  const [money, delivered, month] = await Promise.all([
    sumSpending(ctx.db, who.id, beginOfMonth(ctx)),
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

export async function activeZones(ctx: Context, who: Who): Promise<Reply<typeof getActiveZones>> {
  return { count: await countActiveZones(ctx.db, who.id) };
}
