import { DECLINE_WINDOW_SECONDS, DECLINES_ALLOWED } from '#domain/payments/limits.ts';
import { later, SECOND_MS } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { tooMany } from '../http/errors.ts';
import { ProviderError } from '../adapters/payment-provider.ts';
import { giveAttemptBack, takeAttempt } from './store-attempts.ts';

/** Refusals of the form itself: no card was tried, so nothing was learned by them. */
const NO_TRY = new Set([
  'incorrect_number',
  'sandbox_card_only',
  'invalid_expiry_month',
  'invalid_expiry_year',
]);

/**
 * Runs a try to pay, unless the user had five declines within the hour: then 429 (PAY-10). A try counts from its
 * beginning and is given back when it was no decline, so that parallel tries cannot slip through.
 */
export async function countingDeclines<T>(
  ctx: Context,
  userId: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const now = ctx.now();
  const since = later(now, -DECLINE_WINDOW_SECONDS * SECOND_MS);
  const allowed = Math.max(1, Math.round(DECLINES_ALLOWED * ctx.config.rateLimitFactor));
  const taken = await ctx.db.transaction().execute((tx) => takeAttempt(tx, userId, { since, allowed, now }));
  if (!('id' in taken)) throw tooMany((taken.oldest.getTime() - since.getTime()) / SECOND_MS);
  try {
    const result = await attempt();
    await giveAttemptBack(ctx.db, taken.id);
    return result;
  } catch (error) {
    const isDecline =
      error instanceof ProviderError && error.kind === 'declined' && !NO_TRY.has(error.code ?? '');
    if (!isDecline) await giveAttemptBack(ctx.db, taken.id);
    throw error;
  }
}
