import { isSandbox } from '../adapters/sandbox-payments.ts';
import type { Context } from '../context.ts';

/** A real provider goes on by itself. The sandbox goes on here: fees become known, pending refunds arrive. */
export async function settleSandbox({ payments }: Context, objectId?: string): Promise<void> {
  if (isSandbox(payments)) await payments.settle(objectId);
}
