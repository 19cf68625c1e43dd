/** An advertiser's payments. Times are cut to milliseconds, because a cursor carries no more. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** Payments that brought money, newest first. `before` is the last row of the previous page. */
export async function listPaymentsOf(
  tx: Tx,
  userId: number,
  page: { before: { paidAt: Date; id: number } | null; limit: number },
) {
  const rows = await tx
    .selectFrom('payments')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .leftJoin('documents', (join) =>
      join
        .onRef('documents.paymentId', '=', 'payments.id')
        .on('documents.kind', '=', 'receipt')
        .on('documents.disputeId', 'is', null),
    )
    .select([
      'payments.id',
      'ads.publicId',
      'ads.title',
      'payments.amountCents',
      'payments.currency',
      'payments.paidAt',
      'documents.number as receipt',
    ])
    .where('payments.userId', '=', userId)
    .where('payments.paidAt', 'is not', null)
    .$if(page.before !== null, (query) => {
      const { paidAt, id } = page.before as { paidAt: Date; id: number };
      return query.where(sql<boolean>`(payments.paid_at, payments.id) < (${paidAt}, ${id})`);
    })
    .orderBy('payments.paidAt', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(page.limit)
    .execute();
  return rows.map((row) => ({ ...row, paidAt: row.paidAt as Date }));
}
export type PaymentRow = Awaited<ReturnType<typeof listPaymentsOf>>[number];
