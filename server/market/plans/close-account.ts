import type { Tx } from '#server/platform/database/database.ts';
import { deletePlans } from './store.ts';

/** Before an account is deleted. Ads that stay because they were paid for are single ads from then on. [OP-037] */
export async function forgetPlans(tx: Tx, userId: number): Promise<void> {
  await deletePlans(tx, userId);
}
