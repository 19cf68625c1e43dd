import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { commissionOf } from '#server/platform/settings/marketplace.ts';

/** The percent of a publisher's new ads, and whether an operator agreed it with this publisher. [OWNS-60] */
export async function readCommission(
  ctx: Context,
  tx: Tx,
  userId: number,
): Promise<{ percent: number; isOwn: boolean }> {
  const row = await tx
    .selectFrom('users')
    .select('commissionPercent')
    .where('id', '=', userId)
    .executeTakeFirst();
  const own = row?.commissionPercent ?? null;
  return { percent: commissionOf(ctx.config, own), isOwn: own !== null };
}
