import type { listWithdrawals, Withdrawal } from '#domain/analytics/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { ownRange } from './over-time.ts';
import { listOwn } from './store-withdrawals.ts';
import { viewWithdrawal } from './view.ts';

const DEFAULT_LIMIT = 50;

/** The hours that were withdrawn from the user's ads or zones, and why, newest first. [SIVT-03] */
export async function withdrawals(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listWithdrawals>,
): Promise<Page<Withdrawal>> {
  const before = decodeCursor(query.cursor);
  const range = await ownRange(ctx, who, query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const { items, next } = pageOf(await listOwn(ctx.db, range, { before, limit: limit + 1 }), limit);
  return { items: items.map(viewWithdrawal), next };
}
