import type { Config } from '../settings/config.ts';
import type { Clock } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { MUST_WAIT, mustWait } from '../outbound/wait.ts';
import { OUTBOUND_HELD, type PaymentProvider, ProviderError } from './payment-provider.ts';
import { createSandbox } from './sandbox/payments.ts';

/**
 * The provider that the settings choose. The sandbox follows the marketplace's clock, Stripe the wall clock. Stripe's client
 * is loaded only if it is used, because that takes a fifth of the processor time of a start. While everything outgoing
 * waits, no call leaves for Stripe: it fails like one to a provider that is away. [OPS-54]
 */
export async function createPayments(
  { stripe, sandboxChaos }: Config,
  db: Database,
  { now, realNow }: Pick<Clock, 'now' | 'realNow'>,
): Promise<PaymentProvider> {
  if (!stripe) return createSandbox(db, now, { chaos: sandboxChaos });
  const { createStripe } = await import('./stripe-payments.ts');
  return createStripe(stripe, {
    wallClock: realNow,
    beforeCall: async () => {
      if (await mustWait(db)) throw new ProviderError('unavailable', MUST_WAIT, { code: OUTBOUND_HELD });
    },
  });
}
