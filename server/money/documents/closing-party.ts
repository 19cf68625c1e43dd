/** The person whom the documents of the month name in which an account is deleted. They are made when the month is over. */
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isRefusedTaxId } from '../tax-ids/check.ts';
import { findParty, findTaxStatus } from './store.ts';

/**
 * Keeps how documents name and tax this person until those of the present month are made. Call it before a deletion forgets
 * the person. [WARD-128]
 */
export async function keepClosingParty(ctx: Context, tx: Tx, userId: number): Promise<void> {
  const status = await findTaxStatus(tx, userId);
  const isRefused = await isRefusedTaxId(ctx, tx, userId, status);
  await tx
    .insertInto('closingParties')
    .values({
      userId,
      party: JSON.stringify(await findParty(tx, userId)),
      // The answer of VIES about the number is forgotten with the person.
      taxStatus: JSON.stringify({ ...status, ...(isRefused && { taxId: null }) }),
    })
    .execute();
}

/** Forgets those whose accounts were deleted before this moment. Their last documents are made. [WARD-128] */
export async function forgetClosingParties(tx: Tx, before: Date): Promise<void> {
  await sql`delete from closing_parties using users where users.id = user_id and deleted_at < ${before}`.execute(
    tx,
  );
}
