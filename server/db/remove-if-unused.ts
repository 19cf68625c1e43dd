import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Runs a delete inside the caller's transaction; false, with nothing changed, when another row still refers to what it
 * removes. The database is asked by trying, since it alone knows every table that may. A savepoint keeps the rest of
 * the transaction alive when it says no.
 */
export async function removeIfUnused(tx: Tx, remove: () => Promise<void>): Promise<boolean> {
  await sql`savepoint remove_if_unused`.execute(tx);
  try {
    await remove();
  } catch (error) {
    if (!isStillReferred(error)) throw error;
    await sql`rollback to savepoint remove_if_unused`.execute(tx);
    return false;
  }
  await sql`release savepoint remove_if_unused`.execute(tx);
  return true;
}

// foreign_key_violation, and restrict_violation of `on delete restrict`.
function isStillReferred(error: unknown): boolean {
  return ['23503', '23001'].includes((error as { code?: string }).code ?? '');
}
