import type { Tx } from '../../db/database.ts';

/** The refunds of these payments, oldest first. */
export async function listRefundsOf(tx: Tx, paymentIds: number[]) {
  if (paymentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('refunds')
    .leftJoin('documents', 'documents.refundId', 'refunds.id')
    .select([
      'refunds.paymentId',
      'refunds.amountCents',
      'refunds.status',
      'refunds.cause',
      'refunds.updatedAt',
      'documents.number as creditNote',
    ])
    .where('refunds.paymentId', 'in', paymentIds)
    .orderBy('refunds.id')
    .execute();
  return rows;
}
export type RefundOfPayment = Awaited<ReturnType<typeof listRefundsOf>>[number];
