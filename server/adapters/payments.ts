import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createSandbox } from './sandbox-payments.ts';
import { createStripe } from './stripe-payments.ts';

/** The provider that the settings choose. The sandbox follows the marketplace's clock, Stripe the wall clock. */
export function createPayments(
  { stripe, sandboxChaos }: Config,
  db: Database,
  { now, realNow }: Pick<Clock, 'now' | 'realNow'>,
): PaymentProvider {
  return stripe
    ? createStripe(stripe, { wallClock: realNow })
    : createSandbox(db, now, { chaos: sandboxChaos });
}
