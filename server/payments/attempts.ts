import { DECLINE_WINDOW_SECONDS, DECLINES_ALLOWED } from '#domain/payments/limits.ts';
import { later, SECOND_MS } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { tooMany } from '../http/errors.ts';
import { ProviderError } from '../adapters/payment-provider.ts';
import { releaseAttempt, takeAttempt } from './store-attempts.ts';

/** Codes of invalid form input. No card was tried, so an attacker who tests stolen cards learns nothing from them. */
const INPUT_ERRORS = new Set([
  'incorrect_number',
  'sandbox_card_only',
  'invalid_expiry_month',
  'invalid_expiry_year',
]);

/**
 * Runs a payment attempt. Throws 429 instead if the user had five declines within the last hour. An attempt counts as
 * soon as it begins and is released unless it ends in a decline, so that parallel attempts cannot exceed the limit.
 * [PAY-10]
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
    await releaseAttempt(ctx.db, taken.id);
    return result;
  } catch (error) {
    const isDecline =
      error instanceof ProviderError && error.kind === 'declined' && !INPUT_ERRORS.has(error.code ?? '');
    if (!isDecline) await releaseAttempt(ctx.db, taken.id);
    throw error;
  }
}
