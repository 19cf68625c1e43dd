import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { Currency } from '#domain/money.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import type { Tax, TaxedPrice, TaxReason, TaxSplit } from '#domain/payments/tax.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';

/** The problem that the last check of a payment found: see docs/decisions/028-checkout.md. */
export type Problem = 'unreachable' | 'unknown' | 'not_as_agreed' | 'error';

export type Payment = {
  id: number;
  adId: number;
  userId: number;
  book: PaymentBook;
  /** A random id, from which the idempotency key of the intent is made. */
  key: string;
  intentId: string | null;
  /** The provider's customer that the intent was made for. */
  customerId: string | null;
  chargeId: string | null;
  amountCents: number;
  /** The part of the price that the publisher does not get: the fee, and the tax if there is one. */
  commissionCents: number;
  currency: Currency;
  status: 'open' | 'succeeded' | 'canceled' | 'orphaned' | 'suspense';
  problem: Problem | null;
  /** A keyed hash of the network that asked for the intent last. Null once the payment is closed. */
  network: string | null;
  createdAt: Date;
};

const COLUMNS = [
  'id',
  'adId',
  'userId',
  'book',
  'key',
  'intentId',
  'customerId',
  'chargeId',
  'amountCents',
  'commissionCents',
  'currency',
  'status',
  'problem',
  'network',
  'createdAt',
] as const;

function payments(tx: Tx) {
  return tx.selectFrom('payments').select(COLUMNS);
}

export async function findOpenPayment(tx: Tx, adId: number): Promise<Payment | null> {
  const query = payments(tx).where('adId', '=', adId).where('status', '=', 'open');
  return (await query.executeTakeFirst()) ?? null;
}

/** The open payment for this user's ad. */
export async function findOpenPaymentOf(tx: Tx, userId: number, adPublicId: string): Promise<Payment | null> {
  const query = payments(tx)
    .where('userId', '=', userId)
    .where('status', '=', 'open')
    .where('adId', '=', (ads) =>
      ads.selectFrom('ads').select('id').where('publicId', '=', adPublicId).where('userId', '=', userId),
    );
  return (await query.executeTakeFirst()) ?? null;
}

export async function findPaymentOfIntent(tx: Tx, intentId: string): Promise<Payment | null> {
  return (await payments(tx).where('intentId', '=', intentId).executeTakeFirst()) ?? null;
}

export async function findPaymentOfCharge(tx: Tx, chargeId: string): Promise<Payment | null> {
  return (await payments(tx).where('chargeId', '=', chargeId).executeTakeFirst()) ?? null;
}

export async function findPayment(tx: Tx, id: number): Promise<Payment | null> {
  return (await payments(tx).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Whether the operator has to decide about money that was paid for this ad. */
export async function hasSuspense(tx: Tx, adId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('payments')
    .select('id')
    .where('adId', '=', adId)
    .where('status', '=', 'suspense')
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('suspenseDecisions').select('id').whereRef('paymentId', '=', 'payments.id')),
      ),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an earlier payment of the same ad may have been charged, as far as we know. */
export async function hasUndecided(tx: Tx, { id, adId }: Pick<Payment, 'id' | 'adId'>): Promise<boolean> {
  const row = await tx
    .selectFrom('payments')
    .select('id')
    .where('adId', '=', adId)
    .where('id', '<>', id)
    .where('status', '=', 'canceled')
    .where('nextCheckAt', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the payment. The caller must have locked its ad first, with lockPayableAd. */
export async function lockPayment(tx: Tx, id: number): Promise<Payment> {
  return await payments(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();
}

export async function insertPayment(
  tx: Tx,
  payment: Pick<Payment, 'adId' | 'userId' | 'book' | 'amountCents' | 'currency'> & {
    nextCheckAt: Date;
  } & Agreement &
    PaymentTax,
  at: Date,
): Promise<Payment> {
  return await tx
    .insertInto('payments')
    .values({ ...columnsOf(payment), status: 'open', createdAt: at, updatedAt: at })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The facts about its advertiser that each call of an open payment may change. Those that a call leaves out stay. */
export type Agreement = {
  /** A keyed hash of the network that asked for the intent last. */
  network: string;
  /** The version of the terms that the payment page linked last. */
  acceptedTerms?: number;
  /** The recipient of the receipt. Null: as the settings say. */
  receiptFor?: ReceiptFor | null;
  /** The check of the tax number by which the payment is taxed; null for a number that VIES is not asked about. */
  taxIdCheckId?: number | null;
};

/** Replaces the agreement and the tax of an open payment. */
export async function keepAgreement(tx: Tx, id: number, agreement: Agreement & PaymentTax): Promise<void> {
  await tx
    .updateTable('payments')
    .set(columnsOf(agreement))
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute();
}

const columnsOf = <T extends Agreement>({ receiptFor, ...columns }: T) => ({
  ...columns,
  ...(receiptFor !== undefined && { receiptFor: receiptFor && JSON.stringify(receiptFor) }),
});

/** Replaces the tax of a payment without a recorded charge. */
export async function keepTax(tx: Tx, id: number, tax: PaymentTax): Promise<void> {
  await tx
    .updateTable('payments')
    .set(tax)
    .where('id', '=', id)
    .where('status', 'in', ['open', 'canceled'])
    .execute();
}

/** The tax of a payment: as it would be now, until the charge fixes it. [OWNS-65] */
export type PaymentTax = {
  commissionCents: number;
  /** The account of a country and a rate (tax_accounts); null if no tax is shown. */
  taxAccountId: number | null;
  taxCents: number;
  taxReason: TaxReason | null;
  taxSentence: string | null;
  taxSplit: TaxSplit | null;
  /** Whether the advertiser gave the tax number of a business; null if no tax is shown. */
  taxOfBusiness: boolean | null;
};

/** The tax that was agreed with an advertiser, and with which kind of advertiser. */
export type AgreedTax = Tax & { isBusiness: boolean };

/** The agreement about a payment so far. `tax` is null if none is shown. */
export async function findAgreement(
  tx: Tx,
  id: number,
): Promise<{ receiptFor: ReceiptFor | null; tax: AgreedTax | null }> {
  const { receiptFor, taxOfBusiness, ...row } = await tx
    .selectFrom('payments')
    .leftJoin('taxAccounts', 'taxAccounts.id', 'payments.taxAccountId')
    .select([...TAX_COLUMNS, 'payments.receiptFor', 'payments.taxOfBusiness'])
    .where('payments.id', '=', id)
    .executeTakeFirstOrThrow();
  const tax = taxIn(row);
  // Earlier releases stored the kind of an advertiser only with the reverse charge.
  const isBusiness = taxOfBusiness ?? tax?.reason === 'reverse_charge';
  return { receiptFor: receiptFor as ReceiptFor | null, tax: tax && { ...tax, isBusiness } };
}

const TAX_COLUMNS = [
  'taxAccounts.country',
  'taxAccounts.rate',
  'payments.taxReason',
  'payments.taxSentence',
] as const;

const taxIn = ({
  country,
  rate,
  taxReason: reason,
  taxSentence: sentence,
}: {
  country: string | null;
  rate: number | null;
  taxReason: TaxReason | null;
  taxSentence: string | null;
}): Tax | null => (country === null || rate === null ? null : { country, rate, reason, sentence });

/** The parts of the price of an ad that was paid; null if it was not. */
export async function findPaidTax(
  tx: Tx,
  adId: number,
): Promise<(Omit<TaxedPrice, 'earningsCents'> & { tax: Tax | null }) | null> {
  const row = await tx
    .selectFrom('payments')
    .leftJoin('taxAccounts', 'taxAccounts.id', 'payments.taxAccountId')
    .select([...TAX_COLUMNS, 'commissionCents', 'feeCents', 'taxCents'])
    .where('adId', '=', adId)
    .where('status', '=', 'succeeded')
    .executeTakeFirst();
  if (!row) return null;
  const { commissionCents, feeCents, taxCents } = row;
  return { commissionCents, feeCents, taxCents, tax: taxIn(row) };
}

/** The recipient of the receipt of the open payment for this user's ad. Null: as the settings say. */
export async function findOpenReceiptFor(
  tx: Tx,
  userId: number,
  adPublicId: string,
): Promise<ReceiptFor | null> {
  const open = await tx
    .selectFrom('payments')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .select('payments.receiptFor')
    .where('ads.publicId', '=', adPublicId)
    .where('ads.userId', '=', userId)
    .where('payments.status', '=', 'open')
    .executeTakeFirst();
  return (open?.receiptFor ?? null) as ReceiptFor | null;
}

/** Notes the card that was declined last, as a keyed hash. Returns the network that asked for the intent. */
export async function keepDeclinedCard(
  tx: Tx,
  id: number,
  card: string | null,
): Promise<{ network: string | null }> {
  return tx
    .updateTable('payments')
    .set({ card })
    .where('id', '=', id)
    .returning('network')
    .executeTakeFirstOrThrow();
}

/**
 * Stores the provider's intent of a payment, unless the payment already has one. Returns the payment as it is now: it may
 * have been closed while the provider created the intent.
 */
export async function keepIntent(
  tx: Tx,
  id: number,
  intent: { id: string; customerId: string | null },
  times: { at: Date; nextCheckAt: Date },
): Promise<Payment> {
  const kept = await tx
    .updateTable('payments')
    .set({
      intentId: intent.id,
      customerId: intent.customerId,
      problem: null,
      updatedAt: times.at,
      nextCheckAt: times.nextCheckAt,
    })
    .where('id', '=', id)
    .where('intentId', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst();
  return kept ?? ((await findPayment(tx, id)) as Payment);
}

/** Gives a payment without an intent another idempotency key, unless another request has done so. */
export async function renewKey(tx: Tx, { id, key }: Pick<Payment, 'id' | 'key'>): Promise<Payment> {
  await tx
    .updateTable('payments')
    .set({ key: sql<string>`gen_random_uuid()` })
    .where('id', '=', id)
    .where('key', '=', key)
    .where('intentId', 'is', null)
    .execute();
  return (await findPayment(tx, id)) as Payment;
}

/** Records the charge and the keyed hash of its card. `nextCheckAt` is null if its fee is known, too. */
export async function markPaid(
  tx: Tx,
  id: number,
  status: 'succeeded' | 'orphaned' | 'suspense',
  charge: {
    chargeId: string | null;
    paidAt: Date;
    nextCheckAt: Date | null;
    card: string | null;
    /** The amount that arrived, if it is in suspense and in our books. */
    received?: { receivedCents: number; receivedCurrency: Currency };
  },
): Promise<void> {
  const { received, ...paid } = charge;
  await tx
    .updateTable('payments')
    .set({
      status,
      ...paid,
      ...received,
      checks: 0,
      problem: status === 'suspense' ? 'not_as_agreed' : null,
      network: null,
      updatedAt: charge.paidAt,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Closes the open payments of these ads and returns the ids of their intents. They are asked about again at `nextCheckAt`,
 * until the provider says that they are canceled for good.
 */
export async function markCanceled(
  tx: Tx,
  adIds: number[],
  times: { at: Date; nextCheckAt: Date },
): Promise<string[]> {
  if (adIds.length === 0) return [];
  const open = payments(tx).where('adId', 'in', adIds).where('status', '=', 'open');
  const locked = await open.orderBy('id').forNoKeyUpdate().execute();
  if (locked.length === 0) return [];
  const ids = locked.map(({ id }) => id);
  const rows = await closing(tx, times).where('id', 'in', ids).execute();
  return rows.flatMap(({ intentId }) => (intentId === null ? [] : [intentId]));
}

/** Closes this payment if it is open. Returns the id of its intent. */
export async function markOneCanceled(
  tx: Tx,
  id: number,
  times: { at: Date; nextCheckAt: Date },
): Promise<string | null> {
  const row = await closing(tx, times).where('id', '=', id).executeTakeFirst();
  return row?.intentId ?? null;
}

function closing(tx: Tx, { at, nextCheckAt }: { at: Date; nextCheckAt: Date }) {
  return tx
    .updateTable('payments')
    .set({ status: 'canceled', checks: 0, network: null, card: null, nextCheckAt, updatedAt: at })
    .where('status', '=', 'open')
    .returning('intentId');
}

/** Ends the checks of a payment: the provider's answer is final, and its fee is known. */
export async function markSettled(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ nextCheckAt: null, checks: 0 })
    .where('id', '=', id)
    .where('nextCheckAt', 'is not', null)
    .execute();
}

export async function noteProblem(tx: Tx, id: number, problem: Problem | null): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ problem })
    .where('id', '=', id)
    .where('status', '<>', 'suspense')
    .where('problem', 'is distinct from', problem)
    .execute();
}

/** The ids of those ads that have any payment, in any status. */
export async function adsWithPayments(tx: Tx, adIds: number[]): Promise<Set<number>> {
  if (adIds.length === 0) return new Set();
  const rows = await tx.selectFrom('payments').select('adId').distinct().where('adId', 'in', adIds).execute();
  return new Set(rows.map(({ adId }) => adId));
}

/**
 * Takes the payment of `book` whose check is due first, and sets its next check later each time, from five minutes up to a
 * day. So no two instances check the same one, and one that fails waits while the others are checked.
 */
export async function takeDuePayment(tx: Tx, book: PaymentBook, now: Date): Promise<Payment | null> {
  const row = await tx
    .updateTable('payments')
    .set({
      checks: sql<number>`checks + 1`,
      nextCheckAt: sql<Date>`${now}::timestamptz + least(interval '5 minutes' * 2 ^ least(checks, 12), interval '1 day')`,
    })
    .where('id', '=', (query) =>
      query
        .selectFrom('payments')
        .select('id')
        .where('book', '=', book)
        .where('nextCheckAt', '<=', now)
        .orderBy('nextCheckAt')
        .limit(1)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/** The customer for whom the intents of this payment are made. */
export async function customerOfBook(
  tx: Tx,
  { userId, book }: Pick<Payment, 'userId' | 'book'>,
): Promise<string | null> {
  const row = await tx
    .selectFrom('providerCustomers')
    .select('customerId')
    .where('userId', '=', userId)
    .where('book', '=', book)
    .executeTakeFirst();
  return row?.customerId ?? null;
}
