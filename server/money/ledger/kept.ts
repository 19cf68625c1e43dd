import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * A fee that was kept after a cancel belongs to the refund of this cancel. Later refunds of a canceled campaign, such as of
 * withdrawn traffic, have the same cause, so it is the first one. Of the table c (cancels).
 */
export const refundOfCancel: RawBuilder<number | null> = sql`(
  select min(f.id) from refunds f where f.payment_id = c.payment_id and f.cause = 'canceled')`;

/** `refundId` is null if the fee took up all that was left. */
export type Kept = { paymentId: number; refundId: number | null; keptCents: number; at: Date };

/** The card provider's fees that were kept after cancels of these payments. [OWNS-84] */
export async function listKept(tx: Tx, paymentIds: readonly number[]): Promise<Kept[]> {
  if (paymentIds.length === 0) return [];
  const { rows } = await sql<Kept>`
    select c.payment_id as "paymentId", ${refundOfCancel} as "refundId", t.recorded_at as at,
        (c.kept_publisher_cents + c.kept_commission_cents)::float8 as "keptCents"
      from cancels c
      join ledger_tx t on t.kind = 'cancel_fee' and t.external_ref = 'cancel:' || c.id
      where c.payment_id = any(${paymentIds}) and c.kept_publisher_cents + c.kept_commission_cents > 0
      order by c.id`.execute(tx);
  return rows;
}
