import type { Tx } from '../database/database.ts';
import { unauthorized } from './errors.ts';

/**
 * Keeps the account from being deleted until the transaction ends. Throws 401 if it was deleted since the session was
 * checked. Every use case that inserts something a user owns calls this first: before its other locks, because a
 * deletion locks the account first as well. [SEC-11]
 */
export async function lockLiveAccount(tx: Tx, userId: number): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(() => unauthorized());
}
