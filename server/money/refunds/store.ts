/** The SQL of refunds. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { RefundStatus } from '#domain/payments/refund-status.ts';
import { priceOf, type RefundCause, type Shares } from '#domain/payments/refunds.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The fields of a payment that a refund needs. */
export type RefundablePayment = {
  id: number;
  adId: number;
  book: PaymentBook;
  currency: Currency;
  price: Shares;
};

/** The payment that made the ad live; null if there is none. The caller must have locked the ad first. */
export async function lockPaymentOfAd(tx: Tx, adId: number): Promise<RefundablePayment | null> {
  const row = await tx
    .selectFrom('payments')
    .select(['id', 'adId', 'book', 'currency', 'amountCents', 'commissionCents'])
    .where('adId', '=', adId)
    .where('status', '=', 'succeeded')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? refundable(row) : null;
}

/** Puts the shares in the place of the amounts. */
export function refundable<Row extends { amountCents: number; commissionCents: number }>({
  amountCents,
  commissionCents,
  ...row
}: Row): Omit<Row, 'amountCents' | 'commissionCents'> & { price: Shares } {
  return { ...row, price: priceOf({ amountCents, commissionCents }) };
}

/** The price of an ad that was paid, in shares; null if it was not. */
export async function findPrice(tx: Tx, adId: number): Promise<{ paymentId: number; price: Shares } | null> {
  const row = await tx
    .selectFrom('payments')
    .select(['id', 'amountCents', 'commissionCents'])
    .where('adId', '=', adId)
    .where('status', '=', 'succeeded')
    .executeTakeFirst();
  if (!row) return null;
  return { paymentId: row.id, price: priceOf(row) };
}

/**
 * The shares of a payment that went back to the advertiser: all its refunds, and what lost disputes took of the
 * undelivered part, and the fees that were kept after a cancel. A refund that failed is owed again, so every row counts.
 * `goodwillCents`: the part of the refunds that the marketplace bears, beside the shares.
 */
export async function sumRefunds(tx: Tx, paymentId: number): Promise<Shares & { goodwillCents: number }> {
  const { rows } = await sql<{ publisherCents: string; commissionCents: string; goodwillCents: string }>`
    select coalesce(sum(publisher), 0) as publisher_cents, coalesce(sum(commission), 0) as commission_cents,
        coalesce(sum(goodwill), 0) as goodwill_cents
      from (
        select publisher_cents as publisher, commission_cents as commission, goodwill_cents as goodwill
          from refunds where payment_id = ${paymentId}
        union all
        select kept_publisher_cents, kept_commission_cents, 0 from cancels where payment_id = ${paymentId}
        union all
        select lost_publisher_cents, lost_commission_cents, 0 from disputes where payment_id = ${paymentId}) as back`.execute(
    tx,
  );
  const row = rows[0] as (typeof rows)[number];
  return {
    publisherCents: Number(row.publisherCents),
    commissionCents: Number(row.commissionCents),
    goodwillCents: Number(row.goodwillCents),
  };
}

export async function insertRefund(
  tx: Tx,
  refund: Shares & { paymentId: number; cause: RefundCause; note: string | null; ref?: string | undefined },
  at: Date,
): Promise<{ id: number; ref: string }> {
  const amountCents = refund.publisherCents + refund.commissionCents;
  return await tx
    .insertInto('refunds')
    .values({ ...refund, amountCents, status: 'owed', lookAt: at, createdAt: at, updatedAt: at })
    .returning(['id', 'ref'])
    .executeTakeFirstOrThrow();
}

export async function isRefundBegun(tx: Tx, ref: string): Promise<boolean> {
  const row = await tx.selectFrom('refunds').select('id').where('ref', '=', ref).executeTakeFirst();
  return row !== undefined;
}

/** The refunds of a payment that the marketplace bears in part, the oldest first. The caller has locked the payment. */
export async function listGoodwill(
  tx: Tx,
  paymentId: number,
): Promise<{ id: number; ref: string; goodwillCents: number }[]> {
  return await tx
    .selectFrom('refunds')
    .select(['id', 'ref', 'goodwillCents'])
    .where('paymentId', '=', paymentId)
    .where('goodwillCents', '>', 0)
    .orderBy('id')
    .execute();
}

/** Makes a part of a refund one of what was not delivered. */
export async function takeGoodwill(
  tx: Tx,
  id: number,
  { publisherCents, commissionCents }: Shares,
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({
      publisherCents: sql<number>`publisher_cents + ${publisherCents}`,
      commissionCents: sql<number>`commission_cents + ${commissionCents}`,
      goodwillCents: sql<number>`goodwill_cents - ${publisherCents + commissionCents}`,
    })
    .where('id', '=', id)
    .execute();
}

function refunds(tx: Tx) {
  return tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select([
      'refunds.id',
      'refunds.ref',
      'refunds.paymentId',
      'refunds.amountCents',
      'refunds.status',
      'refunds.attempts',
      'payments.adId',
      'payments.book',
      // Money in suspense goes back in the currency in which it arrived.
      sql<Currency>`coalesce(payments.received_currency, payments.currency)`.as('currency'),
      'payments.intentId',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof refunds>['executeTakeFirstOrThrow']>>;

export type RefundRow = Omit<Row, 'intentId'> & { intentId: string };

const refundOf = (row: Row): RefundRow => ({ ...row, intentId: row.intentId as string });

/** Locks the payment first and the refund second, so that the refunds of a payment wait for each other. */
export async function lockRefund(tx: Tx, id: number): Promise<RefundRow | null> {
  await tx
    .selectFrom('payments')
    .select('id')
    .where('id', '=', (query) => query.selectFrom('refunds').select('paymentId').where('id', '=', id))
    .forNoKeyUpdate()
    .execute();
  const row = await refunds(tx).where('refunds.id', '=', id).forNoKeyUpdate('refunds').executeTakeFirst();
  return row ? refundOf(row) : null;
}

export async function updateRefund(
  tx: Tx,
  id: number,
  changes: { status?: RefundStatus; lookAt: Date | null; lastError?: string | null; attempts?: number },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('refunds')
    .set({
      ...changes,
      // The beginning of the present state, which users see.
      ...(changes.status !== undefined && {
        updatedAt: sql<Date>`case when status = ${changes.status} then updated_at else ${at}::timestamptz end`,
      }),
    })
    .where('id', '=', id)
    .execute();
}

/** Marks an owed refund as paid from the marketplace's bank account. Returns false if it is not owed. */
export async function markPaidByHand(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set({ status: 'done', paidByHandAt: now, lookAt: null, lastError: null, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'owed')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export type TryState = 'trying' | 'pending' | 'succeeded' | 'failed';

export type TryRow = {
  key: string;
  refundId: number;
  providerId: string | null;
  state: TryState;
  beganAt: Date;
  /** When its latest request was sent. */
  askedAt: Date | null;
  takenBy: string | null;
  returnedBy: string | null;
};

const TRY = [
  'key',
  'refundId',
  'providerId',
  'state',
  'beganAt',
  'askedAt',
  'takenBy',
  'returnedBy',
] as const;

/** The try whose outcome counts: the one that has not failed. A refund has at most one. */
export async function findGoodTry(tx: Tx, refundId: number): Promise<TryRow | undefined> {
  return await tx
    .selectFrom('refundTries')
    .select(TRY)
    .where('refundId', '=', refundId)
    .where('state', '<>', 'failed')
    .executeTakeFirst();
}

/** The try that a refund of the provider belongs to. Finds it by our key if we never learned the provider's id. */
export async function findTryOf(
  tx: Tx,
  { providerId, key }: { providerId: string; key: string | null },
): Promise<TryRow | undefined> {
  return await tx
    .selectFrom('refundTries')
    .select(TRY)
    .where((eb) =>
      key === null
        ? eb('providerId', '=', providerId)
        : eb.or([
            eb('providerId', '=', providerId),
            eb.and([eb('key', '=', key), eb('providerId', 'is', null)]),
          ]),
    )
    .executeTakeFirst();
}

/** The keys of all tries of a refund. */
export async function listKeys(tx: Tx, refundId: number): Promise<string[]> {
  const rows = await tx.selectFrom('refundTries').select('key').where('refundId', '=', refundId).execute();
  return rows.map(({ key }) => key);
}

/** Whether another refund of this payment that we have sent is on its way. */
export async function isOtherInFlight(tx: Tx, { id, paymentId }: RefundRow): Promise<boolean> {
  const row = await tx
    .selectFrom('refundTries')
    .select('key')
    .where('paymentId', '=', paymentId)
    .where('refundId', '<>', id)
    .where('state', 'in', ['trying', 'pending'])
    // The provider has counted a refund that was made outside.
    .where('madeOutside', '=', false)
    .executeTakeFirst();
  return row !== undefined;
}

type Unmade = { intentId: string; attempts: number; createdAt: Date; lastError: string | null };

/** An owed refund of this book that is not on its way; null for any other. */
export async function findUnmade(tx: Tx, id: number, book: PaymentBook): Promise<Unmade | null> {
  const row = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['payments.intentId', 'refunds.attempts', 'refunds.createdAt', 'refunds.lastError'])
    .where('refunds.id', '=', id)
    .where('refunds.status', '=', 'owed')
    .where('payments.book', '=', book)
    .executeTakeFirst();
  if (!row?.intentId || (await findGoodTry(tx, id))) return null;
  return { ...row, intentId: row.intentId };
}

export async function insertTry(tx: Tx, { id, paymentId }: RefundRow, beganAt: Date): Promise<TryRow> {
  return await tx
    .insertInto('refundTries')
    .values({ refundId: id, paymentId, beganAt })
    .returning(TRY)
    .executeTakeFirstOrThrow();
}

export async function updateTry(
  tx: Tx,
  key: string,
  changes: Partial<Pick<TryRow, 'providerId' | 'state' | 'askedAt' | 'takenBy' | 'returnedBy'>> & {
    error?: string | null;
  },
): Promise<void> {
  if (Object.keys(changes).length > 0)
    await tx.updateTable('refundTries').set(changes).where('key', '=', key).execute();
}

/**
 * Takes refunds that are to be sent or asked about at `now`, and puts their next look off, so that no other instance
 * takes them meanwhile.
 */
export async function takeDueRefunds(tx: Tx, now: Date, until: Date, limit: number): Promise<number[]> {
  const rows = await tx
    .updateTable('refunds')
    .set({ lookAt: until })
    .where('id', 'in', (query) =>
      query
        .selectFrom('refunds')
        .select('id')
        .where('lookAt', '<=', now)
        .orderBy('lookAt')
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Refunds that are owed to advertisers and not at their bank yet, oldest first, with ids above `after`. */
export async function listOwed(tx: Tx, { after, limit }: { after: number; limit: number }) {
  const rows = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .select([
      'refunds.id',
      'ads.publicId as ad',
      'payments.intentId as intent',
      'refunds.amountCents',
      'payments.currency',
      'refunds.createdAt as since',
      'refunds.status',
      'refunds.cause',
      'refunds.attempts',
      'refunds.lastError',
    ])
    .where('refunds.status', '<>', 'done')
    .where('refunds.id', '>', after)
    .orderBy('refunds.id')
    .limit(limit)
    .execute();
  return rows;
}
