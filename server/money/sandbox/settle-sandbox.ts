import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import type { Context } from '#server/platform/context.ts';

/**
 * Moves the sandbox on: it reports the fees of charges, and completes pending refunds and bank payouts. A real provider
 * does that by itself.
 */
export async function settleSandbox({ payments }: Context, objectId?: string): Promise<void> {
  if (isSandbox(payments)) await payments.settle(objectId);
}
