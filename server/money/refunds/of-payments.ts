import type { Tx } from '#server/platform/database/database.ts';
import { sql } from 'kysely';

/** The refunds of these payments, oldest first. */
export async function listRefundsOf(tx: Tx, paymentIds: number[]) {
  if (paymentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('refunds')
    .leftJoin('documents', 'documents.refundId', 'refunds.id')
    .select([
      'refunds.id',
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

/**
 * The credit notes of lost disputes about these payments, oldest first. A dispute whose money came back counts no longer.
 * [OWNS-109]
 */
export async function listChargebacksOf(tx: Tx, paymentIds: number[]) {
  if (paymentIds.length === 0) return [];
  return await tx
    .selectFrom('documents')
    .innerJoin('disputes', 'disputes.id', 'documents.disputeId')
    .select([
      'disputes.paymentId',
      'documents.amountCents',
      'documents.issuedAt',
      'documents.number as creditNote',
    ])
    .where('documents.paymentId', 'in', paymentIds)
    .where('documents.kind', '=', 'credit_note')
    .where('disputes.recoveredAt', 'is', null)
    .orderBy('documents.id')
    .execute();
}

/** The refunded part of a payment in suspense. */
export async function sumSuspenseRefunds(tx: Tx, paymentId: number): Promise<number> {
  const { cents } = await tx
    .selectFrom('refunds')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('publisherCents'), sql<string>`0`).as('cents'))
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
  return Number(cents);
}
