import type { Currency } from '#domain/money.ts';
import type { PaymentBook } from '../config.ts';
import type { Tx } from '../db/database.ts';

export type RefundRow = {
  id: number;
  paymentId: number;
  adId: number;
  book: PaymentBook;
  currency: Currency;
  intentId: string;
  refundId: string | null;
  amountCents: number;
  status: 'open' | 'pending' | 'succeeded' | 'failed' | 'canceled';
};

export async function insertRefund(
  tx: Tx,
  refund: { paymentId: number; amountCents: number; commissionCents: number; reason: string },
  at: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('refunds')
    .values({ ...refund, status: 'open', createdAt: at, updatedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function refunds(tx: Tx) {
  return tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select([
      'refunds.id',
      'refunds.paymentId',
      'payments.adId',
      'payments.book',
      'payments.currency',
      'payments.intentId',
      'refunds.refundId',
      'refunds.amountCents',
      'refunds.status',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof refunds>['executeTakeFirstOrThrow']>>;

function refundOf(row: Row): RefundRow {
  return {
    ...row,
    intentId: row.intentId as string,
    amountCents: Number(row.amountCents),
  };
}

export async function findRefund(tx: Tx, id: number): Promise<RefundRow | null> {
  const row = await refunds(tx).where('refunds.id', '=', id).executeTakeFirst();
  return row ? refundOf(row) : null;
}

export async function lockRefund(tx: Tx, id: number): Promise<RefundRow> {
  return refundOf(
    await refunds(tx).where('refunds.id', '=', id).forUpdate('refunds').executeTakeFirstOrThrow(),
  );
}

export async function updateRefund(
  tx: Tx,
  id: number,
  changes: { refundId: string; status: RefundRow['status'] },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({ ...changes, updatedAt: at })
    .where('id', '=', id)
    .execute();
}

/** Ids of refunds that were recorded at `before` or earlier and not yet sent to the provider, oldest first. */
export async function listUnsentRefunds(tx: Tx, before: Date, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'open')
    .where('createdAt', '<=', before)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
