import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createSandbox } from './sandbox-payments.ts';
import { createStripe } from './stripe-payments.ts';

/** The provider that the settings choose. `now` moves with the marketplace's clock, `wallClock` does not. */
export function createPayments(
  { stripe }: Config,
  db: Database,
  { now, wallClock }: { now: () => Date; wallClock: () => Date },
): PaymentProvider {
  return stripe ? createStripe(stripe, { wallClock }) : createSandbox(db, now);
}
