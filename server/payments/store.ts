import type { Tx } from '../db/database.ts';
import type { Currency } from '#domain/money.ts';
import type { PaymentBook } from '../config.ts';

/** Amounts are in cents. PostgreSQL returns bigint as text; prices are far below the largest exact number. */
export type Payment = {
  id: number;
  adId: number;
  userId: number;
  book: PaymentBook;
  intentId: string | null;
  amountCents: number;
  commissionCents: number;
  currency: Currency;
  status: 'open' | 'succeeded' | 'canceled' | 'orphaned';
};

function payments(tx: Tx) {
  return tx
    .selectFrom('payments')
    .select([
      'id',
      'adId',
      'userId',
      'book',
      'intentId',
      'amountCents',
      'commissionCents',
      'currency',
      'status',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof payments>['executeTakeFirstOrThrow']>>;

function paymentOf(row: Row): Payment {
  return {
    ...row,
    amountCents: Number(row.amountCents),
    commissionCents: Number(row.commissionCents),
  };
}

const orNull = (row: Row | undefined): Payment | null => (row ? paymentOf(row) : null);

export async function findOpenPayment(tx: Tx, adId: number): Promise<Payment | null> {
  const query = payments(tx).where('adId', '=', adId).where('status', '=', 'open');
  return orNull(await query.executeTakeFirst());
}

export async function findPaymentOfIntent(tx: Tx, intentId: string): Promise<Payment | null> {
  return orNull(await payments(tx).where('intentId', '=', intentId).executeTakeFirst());
}

/** Locks the payment. The caller must have locked its ad first, with lockPayableAd. */
export async function lockPayment(tx: Tx, id: number): Promise<Payment> {
  return paymentOf(await payments(tx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow());
}

export async function insertPayment(
  tx: Tx,
  payment: Pick<Payment, 'adId' | 'userId' | 'book' | 'amountCents' | 'commissionCents' | 'currency'>,
  at: Date,
): Promise<Payment> {
  const row = await tx
    .insertInto('payments')
    .values({ ...payment, status: 'open', checkedAt: at, createdAt: at, updatedAt: at })
    .returning([
      'id',
      'adId',
      'userId',
      'book',
      'intentId',
      'amountCents',
      'commissionCents',
      'currency',
      'status',
    ])
    .executeTakeFirstOrThrow();
  return paymentOf(row);
}

/** Stores the provider's intent of a payment, unless the payment already has one. */
export async function keepIntent(tx: Tx, id: number, intentId: string, at: Date): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ intentId, updatedAt: at })
    .where('id', '=', id)
    .where('intentId', 'is', null)
    .execute();
}

export async function markPaid(
  tx: Tx,
  id: number,
  status: 'succeeded' | 'orphaned',
  charge: { chargeId: string; paidAt: Date },
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ status, ...charge, updatedAt: charge.paidAt })
    .where('id', '=', id)
    .execute();
}

/** Closes the open payments of these ads and returns the ids of their intents. */
export async function markCanceled(tx: Tx, adIds: number[], at: Date): Promise<string[]> {
  if (adIds.length === 0) return [];
  const rows = await tx
    .updateTable('payments')
    .set({ status: 'canceled', updatedAt: at })
    .where('adId', 'in', adIds)
    .where('status', '=', 'open')
    .returning('intentId')
    .execute();
  return rows.flatMap(({ intentId }) => (intentId === null ? [] : [intentId]));
}

/** The ids of those ads that have any payment, in any status. */
export async function selectAdsWithPayments(tx: Tx, adIds: number[]): Promise<number[]> {
  if (adIds.length === 0) return [];
  const rows = await tx.selectFrom('payments').select('adId').distinct().where('adId', 'in', adIds).execute();
  return rows.map(({ adId }) => adId);
}

/** Takes open payments last checked with the provider at `before` or earlier, and sets their check time to `at`. */
export async function takeUnchecked(tx: Tx, before: Date, at: Date, limit: number): Promise<Payment[]> {
  const rows = await tx
    .updateTable('payments')
    .set({ checkedAt: at })
    .where('id', 'in', (query) =>
      query
        .selectFrom('payments')
        .select('id')
        .where('status', '=', 'open')
        .where('checkedAt', '<=', before)
        .where('intentId', 'is not', null)
        .orderBy('checkedAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      'id',
      'adId',
      'userId',
      'book',
      'intentId',
      'amountCents',
      'commissionCents',
      'currency',
      'status',
    ])
    .execute();
  return rows.map(paymentOf);
}

/** Finds the paying user. The specification puts `stripe_customer_id` into `users`, but only payments writes it. */
export function findBuyer(tx: Tx, userId: number) {
  return tx
    .selectFrom('users')
    .select(['email', 'firstName', 'lastName', 'stripeCustomerId'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function keepCustomer(tx: Tx, userId: number, customerId: string): Promise<void> {
  await tx.updateTable('users').set({ stripeCustomerId: customerId }).where('id', '=', userId).execute();
}
