/** The operator asks the card provider whether it accepts the keys. */
import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { type Operator, perform, record } from './act.ts';

/** Names the keys in force as Stripe’s dashboard does, so that a check is about these keys only. */
export const keysName = ({ stripe }: Pick<Config, 'stripe'>): string =>
  stripe === undefined ? '' : `Stripe keys …${stripe.secretKey.slice(-4)}`;

export type CheckedKeys = { mode: 'live' | 'test' };

/**
 * Makes one reading call at the card provider. Throws 409 with the provider's words if it refuses the keys, and if cards are
 * those of the sandbox.
 */
export async function checkKeys(ctx: Context, operator: Operator): Promise<CheckedKeys> {
  const { mode } = ctx.payments;
  if (mode === 'sandbox')
    throw conflict(
      'Cards are those of the sandbox, so there are no keys to check. Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
    );
  try {
    for await (const _ of ctx.payments.balanceTransactionsSince(ctx.realNow())) break;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw conflict(`Stripe did not accept the keys: ${error.message}`);
  }
  await perform(ctx, operator, async (tx) => {
    await record(ctx, tx, operator, {
      act: 'check-keys',
      subject: 'setting',
      subjectId: 0,
      subjectName: keysName(ctx.config),
      affectedId: null,
      reason: `Stripe accepts the keys of the ${mode} mode`,
    });
  });
  return { mode };
}
