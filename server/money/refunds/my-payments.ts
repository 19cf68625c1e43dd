import type { Parsed } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import type { BuyerPayment, listMyPayments } from '#domain/payments/refund-contract.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { listKept } from '../ledger/kept.ts';
import { listChargebacksOf, listRefundsOf, type RefundOfPayment } from './of-payments.ts';
import { listPaymentsOf, type PaymentRow } from './store-payments.ts';

const DEFAULT_LIMIT = 20;

/** The user's own payments with their refunds and kept fees, newest first. [OWNS-84] */
export async function myPayments(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listMyPayments>,
): Promise<Page<BuyerPayment>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const keys = query.cursor === undefined ? null : decodeKeys(query.cursor, ['time', 'id']);
  const before = keys && { paidAt: new Date(keys[0]), id: keys[1] };
  const rows = await listPaymentsOf(ctx.db, who.id, { before, limit: limit + 1 });
  const { items, next } = pageBy(rows, limit, (row) => encodeKeys([row.paidAt.getTime(), row.id]));
  const ids = items.map((row) => row.id);
  const refunds = Map.groupBy(await listMoneyBack(ctx.db, ids), ({ paymentId }) => paymentId);
  return { items: items.map((row) => paymentReply(row, refunds.get(row.id) ?? [])), next };
}

/** A chargeback is money back as a refund is, which the bank took itself. */
type MoneyBack = Omit<RefundOfPayment, 'id' | 'cause'> & {
  cause: RefundOfPayment['cause'] | 'chargeback';
  keptCents: number;
};

/** What went back of these payments. A cancel whose fee took up all that was left is a refund of nothing. */
async function listMoneyBack(tx: Tx, paymentIds: number[]): Promise<MoneyBack[]> {
  const kept = await listKept(tx, paymentIds);
  const refunds = (await listRefundsOf(tx, paymentIds)).map(({ id, ...refund }) => ({
    ...refund,
    keptCents: kept.find(({ refundId }) => refundId === id)?.keptCents ?? 0,
  }));
  const ofNothing = kept
    .filter(({ refundId }) => refundId === null)
    .map(({ paymentId, keptCents, at }) => ({
      paymentId,
      amountCents: 0,
      keptCents,
      status: 'done' as const,
      cause: 'canceled' as const,
      updatedAt: at,
      creditNote: null,
    }));
  const chargebacks = (await listChargebacksOf(tx, paymentIds)).map(({ issuedAt, ...chargeback }) => ({
    ...chargeback,
    keptCents: 0,
    status: 'done' as const,
    cause: 'chargeback' as const,
    updatedAt: issuedAt,
  }));
  // An owed refund that was made outside in other parts is listed as those.
  const ofMoney = refunds.filter(({ amountCents, keptCents }) => amountCents + keptCents > 0);
  return [...ofMoney, ...ofNothing, ...chargebacks];
}

function paymentReply(row: PaymentRow, refunds: MoneyBack[]): BuyerPayment {
  const refunded = refunds.reduce((total, { amountCents }) => total + amountCents, 0);
  return {
    adPublicId: row.publicId,
    title: row.title,
    amount: decimalOf(row.amountCents),
    currency: row.currency,
    status: refunded === 0 ? 'paid' : refunded < row.amountCents ? 'partly_refunded' : 'refunded',
    paidAt: row.paidAt.toISOString(),
    receipt: row.receipt,
    refunds: refunds.map(({ amountCents, keptCents, status, cause, updatedAt, creditNote }) => ({
      amount: decimalOf(amountCents),
      cancelFee: decimalOf(keptCents),
      status,
      reason: cause,
      at: updatedAt.toISOString(),
      creditNote,
    })),
  };
}
