import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createSandbox } from './sandbox/payments.ts';

/**
 * The provider that the settings choose. The sandbox follows the marketplace's clock, Stripe the wall clock. Stripe's client
 * is loaded only if it is used, because that takes a fifth of the processor time of a start.
 */
export async function createPayments(
  { stripe, sandboxChaos }: Config,
  db: Database,
  { now, realNow }: Pick<Clock, 'now' | 'realNow'>,
): Promise<PaymentProvider> {
  if (!stripe) return createSandbox(db, now, { chaos: sandboxChaos });
  const { createStripe } = await import('./stripe-payments.ts');
  return createStripe(stripe, { wallClock: realNow });
}
