/** The changes that a dispute makes to the refunds of its payment. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { RefundRow } from './store.ts';

/** Looks at the owed refunds of a payment at once. */
export async function lookAtOwedRefunds(tx: Tx, paymentId: number, now: Date): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ lookAt: now })
    .where('paymentId', '=', paymentId)
    .where('status', '=', 'owed')
    .execute();
}

/**
 * Charges a refund to a lost dispute of its payment, if the marketplace bears enough of it: the advertiser's bank has
 * taken that money already. Returns the dispute, or null if there is none.
 */
export async function settleByLostDispute(tx: Tx, refund: RefundRow, now: Date): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    update disputes set absorbed_cents = absorbed_cents - ${refund.amountCents}, updated_at = ${now}
      where id = (select id from disputes
        where payment_id = ${refund.paymentId} and lost_at is not null and absorbed_cents >= ${refund.amountCents}
        order by id limit 1 for no key update)
      returning id`.execute(tx);
  const dispute = rows[0];
  if (!dispute) return null;
  await tx
    .updateTable('refunds')
    .set({ status: 'done', settledBy: dispute.id, lookAt: null, lastError: null, updatedAt: now })
    .where('id', '=', refund.id)
    .execute();
  return dispute.id;
}

/** The refunds that a lost dispute had settled are owed again. Returns their sum in cents. */
export async function reopenSettled(tx: Tx, disputeId: number, now: Date): Promise<number> {
  const rows = await tx
    .updateTable('refunds')
    .set({ status: 'owed', settledBy: null, lookAt: now, updatedAt: now })
    .where('settledBy', '=', disputeId)
    .returning('amountCents')
    .execute();
  return rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
