/** The part of refunds that the marketplace bears. See docs/decisions/130-outside-refunds.md. */
import { sql } from 'kysely';
import { goodwillRecovered } from '#domain/payments/outside-refunds.ts';
import { leftOf, type Shares, shareOfRefund, sumOf } from '#domain/payments/refunds.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { post } from '../ledger/post.ts';
import { settleTax } from '../ledger/tax.ts';
import { priceOf, type RefundablePayment, sumRefunds } from './store.ts';

/**
 * Takes back what the marketplace bore of a payment, at most what is left of it now, because traffic was withdrawn: the
 * advertiser has that money already. The caller has locked the ad and the payment. [FIELD-77]
 */
export async function recoverGoodwill(
  ctx: Context,
  tx: Tx,
  payment: RefundablePayment,
  earned: Shares,
): Promise<void> {
  const { adId, book, currency } = payment;
  for (const { id, ref, goodwillCents } of await listGoodwill(tx, payment.id)) {
    const before = await sumRefunds(tx, payment.id);
    const cents = Math.min(goodwillCents, sumOf(leftOf(priceOf(payment), earned, before)));
    if (cents === 0) break;
    const shares = shareOfRefund(priceOf(payment), earned, before, cents);
    await recover(tx, id, shares);
    const [now, externalRef] = [ctx.now(), `${ref}:${goodwillCents}`];
    const entries = goodwillRecovered(adId, shares);
    await post(tx, {
      kind: 'undelivered',
      externalRef,
      entries,
      adId,
      book,
      currency,
      occurredAt: now,
      recordedAt: now,
    });
    await settleTax(ctx, tx, adId, `undelivered:${externalRef}`);
  }
}

type Goodwill = { id: number; ref: string; goodwillCents: number };

/** The refunds of a payment that the marketplace bears in part, the oldest first. The caller has locked the payment. */
async function listGoodwill(tx: Tx, paymentId: number): Promise<Goodwill[]> {
  return await tx
    .selectFrom('refunds')
    .select(['id', 'ref', 'goodwillCents'])
    .where('paymentId', '=', paymentId)
    .where('goodwillCents', '>', 0)
    .orderBy('id')
    .execute();
}

/** Makes a part of a refund one of what was not delivered. */
async function recover(
  tx: Tx,
  id: number,
  { publisherCents, commissionCents }: { publisherCents: number; commissionCents: number },
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
