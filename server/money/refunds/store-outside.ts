/** The SQL of outside.ts. Amounts are cents. */
import { sql } from 'kysely';
import type { Parts } from '#domain/payments/outside-refunds.ts';
import type { RefundCause } from '#domain/payments/refunds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { refundable, type RefundablePayment } from './store.ts';
import { sumSuspenseRefunds } from './of-payments.ts';

/** A payment that has brought money. */
export type ChargedPayment = RefundablePayment & {
  status: 'succeeded' | 'orphaned' | 'suspense';
  /** The part in suspense that the operator has not decided about. */
  suspenseCents: number;
};

/** The charged payment of an intent. */
export async function findChargedPayment(
  tx: Tx,
  intentId: string,
): Promise<Pick<ChargedPayment, 'id' | 'adId' | 'book'> | undefined> {
  return await tx
    .selectFrom('payments')
    .select(['id', 'adId', 'book'])
    .where('intentId', '=', intentId)
    .where('paidAt', 'is not', null)
    .executeTakeFirst();
}

/** Locks a charged payment. The caller has locked its ad. Null if its money is in no book of ours. */
export async function lockChargedPayment(tx: Tx, id: number): Promise<ChargedPayment | null> {
  const row = await tx
    .selectFrom('payments')
    .select(['id', 'adId', 'book', 'currency', 'amountCents', 'commissionCents', 'status'])
    .select(['receivedCents', 'receivedCurrency'])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('suspenseDecisions').select('id').whereRef('paymentId', '=', 'payments.id'))
        .as('isDecided'),
    )
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const { receivedCents, receivedCurrency, isDecided, status, ...payment } = refundable(row);
  if (status === 'open' || status === 'canceled') return null;
  if (status !== 'suspense') return { ...payment, status, suspenseCents: 0 };
  if (receivedCents === null || receivedCurrency === null) return null;
  const refundedCents = isDecided ? 0 : await sumSuspenseRefunds(tx, id);
  return {
    ...payment,
    status,
    currency: receivedCurrency,
    suspenseCents: isDecided ? 0 : receivedCents - refundedCents,
  };
}

/** Whether the provider has not answered a request of ours about this payment yet. */
export async function isRequested(tx: Tx, paymentId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('refundTries')
    .select('key')
    .where('paymentId', '=', paymentId)
    .where('state', '=', 'trying')
    .executeTakeFirst();
  return row !== undefined;
}

/** `noteCents`: what its credit note is about, or will be. */
export type OwedRefund = Parts & {
  id: number;
  amountCents: number;
  cause: RefundCause;
  hasNote: boolean;
  noteCents: number;
};

/** The owed refunds of a payment that are not on their way, the oldest first. The caller has locked the payment. */
export async function listOwedOf(tx: Tx, paymentId: number): Promise<OwedRefund[]> {
  return await tx
    .selectFrom('refunds as r')
    .select(['r.id', 'r.amountCents', 'r.publisherCents', 'r.commissionCents', 'r.goodwillCents', 'r.cause'])
    .select((eb) => [
      eb.fn.coalesce('r.noteCents', 'r.amountCents').as('noteCents'),
      eb
        .exists(eb.selectFrom('documents').select('id').whereRef('refundId', '=', 'r.id'))
        .$castTo<boolean>()
        .as('hasNote'),
    ])
    .where('r.paymentId', '=', paymentId)
    .where('r.status', '=', 'owed')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('refundTries')
            .select('key')
            .whereRef('refundId', '=', 'r.id')
            .where('state', '<>', 'failed'),
        ),
      ),
    )
    .orderBy('r.id')
    .execute();
}

/** Takes a part of an owed refund off it, because it was made outside. One of which nothing is left is done. */
export async function takeOff(
  tx: Tx,
  id: number,
  { publisherCents, commissionCents, goodwillCents }: Parts,
  { noteCents, at }: { noteCents: number; at: Date },
): Promise<void> {
  await sql`
    update refunds r
      set amount_cents = left_cents, publisher_cents = publisher_cents - ${publisherCents},
        commission_cents = commission_cents - ${commissionCents}, goodwill_cents = goodwill_cents - ${goodwillCents},
        note_cents = ${noteCents}, status = case when left_cents = 0 then 'done' else status end,
        look_at = case when left_cents > 0 then look_at end, last_error = null,
        updated_at = case when left_cents = 0 then ${at}::timestamptz else updated_at end
      from (
        select amount_cents - ${publisherCents + commissionCents + goodwillCents}::bigint as left_cents
          from refunds where id = ${id}) as after
      where r.id = ${id}`.execute(tx);
}

/** Records a refund that the provider has made. */
export async function insertOutside(
  tx: Tx,
  refund: Parts & {
    paymentId: number;
    cause: RefundCause;
    note: string;
    amountCents: number;
    noteCents: number;
  },
  at: Date,
): Promise<{ id: number; ref: string }> {
  return await tx
    .insertInto('refunds')
    .values({ ...refund, status: 'owed', lookAt: at, createdAt: at, updatedAt: at })
    .returning(['id', 'ref'])
    .executeTakeFirstOrThrow();
}

/** Links a refund to the one that the provider has made for it. */
export async function insertOutsideTry(
  tx: Tx,
  made: { refundId: number; paymentId: number; providerId: string; beganAt: Date },
): Promise<void> {
  await tx
    .insertInto('refundTries')
    .values({ ...made, state: 'pending', madeOutside: true })
    .execute();
}

/** Nothing of a payment is in suspense any more. */
export async function decideRefunded(tx: Tx, paymentId: number, decidedAt: Date): Promise<void> {
  await tx
    .insertInto('suspenseDecisions')
    .values({ paymentId, txId: null, outcome: 'refunded', decidedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
