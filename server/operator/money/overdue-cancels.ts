/** Cancels about which no operator has decided in time. They are carried out for the advertiser. [REFU-200] */
import { CANCEL_WAITS_DAYS } from '#domain/payments/cancels.ts';
import type { Context } from '#server/platform/context.ts';
import { eachDue } from '#server/platform/database/batches.ts';
import { carryOutWaiting } from '#server/money/refunds/cancelling/cancel-terms.ts';
import { listOverdueCancels } from '#server/money/refunds/cancelling/overdue.ts';
import { perform } from '../act.ts';
import { recordOfAd } from '../decisions/suspend.ts';

/** The server itself, which has no account either. Its acts have names of their own. */
const SERVER = { id: null };

const REASON = `No operator decided within ${CANCEL_WAITS_DAYS.release} days.`;

/**
 * The job: carries out each cancel that has waited for the days of `release`, as if an operator had released it, each in its own
 * transaction. Returns how many. A cancel that fails is logged, and the next run tries it again.
 */
export async function carryOutOverdueCancels(ctx: Context): Promise<number> {
  return await eachDue<number>(
    ctx,
    'a cancel that waits could not be carried out; trying again',
    (after, limit) => listOverdueCancels(ctx, after ?? 0, limit),
    (adId) =>
      perform(ctx, SERVER, async (tx) => {
        if ((await carryOutWaiting(ctx, tx, adId)) === null) return false;
        await recordOfAd(ctx, tx, SERVER, { act: 'carry-out-cancel', adId, reason: REASON });
        return true;
      }),
  );
}
