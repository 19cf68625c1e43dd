import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Runs a delete inside the caller's transaction. Returns false, with nothing changed, if another row still refers to the
 * deleted one. This function tries the delete, because only the database knows every table with such references. A
 * savepoint keeps the transaction usable after a failure.
 */
export async function removeIfUnused(tx: Tx, remove: () => Promise<void>): Promise<boolean> {
  await sql`savepoint remove_if_unused`.execute(tx);
  try {
    await remove();
  } catch (error) {
    if (!isStillReferenced(error)) throw error;
    await sql`rollback to savepoint remove_if_unused`.execute(tx);
    return false;
  }
  await sql`release savepoint remove_if_unused`.execute(tx);
  return true;
}

// foreign_key_violation, and restrict_violation of `on delete restrict`.
function isStillReferenced(error: unknown): boolean {
  return ['23503', '23001'].includes((error as { code?: string }).code ?? '');
}
