/** The operator decides about money in suspense. See docs/decisions/044-operator-books.md. */
import { suspenseExplained, type SuspenseOutcome, suspenseOwed } from '#domain/payments/suspense.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { post } from '../ledger/post.ts';
import { beginWholeRefund } from '../refunds/begin.ts';
import {
  findAdOfPayment,
  findSuspendedEntry,
  findSuspendedPayment,
  insertDecision,
  type SuspendedPayment,
} from './store-suspense.ts';

/** The id of a row in the list of money in suspense, such as 'payment:12'. */
export type SuspenseRef = { of: 'payment' | 'entry'; id: number };

/** Returns null if the text is no id of that list. */
export function suspenseRef(text: string): SuspenseRef | null {
  const [, of, id] = /^(payment|entry):([1-9]\d{0,8})$/.exec(text) ?? [];
  return of === undefined ? null : { of: of as SuspenseRef['of'], id: Number(id) };
}

/** `adId` is null for a movement at the provider that no payment explains; `amountCents` if nothing was booked. */
export type SettledSuspense = { adId: number | null; name: string; amountCents: number | null };

/**
 * Refunds money in suspense to its payer, or books what it is, in the caller's transaction. Each is decided once. Throws
 * 404, or 409 if it was decided already or cannot be refunded. [BOOK-08]
 */
export async function settleSuspense(
  ctx: Context,
  tx: Tx,
  ref: SuspenseRef,
  outcome: SuspenseOutcome,
): Promise<SettledSuspense> {
  return ref.of === 'payment'
    ? await settlePayment(ctx, tx, ref.id, outcome)
    : await settleEntry(ctx, tx, ref.id, outcome);
}

const nothing = () => notFound('Nothing in suspense has this id. `openslot money list` shows the ids.');
const decided = () => conflict('A decision about this money has already been made.');

async function settlePayment(
  ctx: Context,
  tx: Tx,
  id: number,
  outcome: SuspenseOutcome,
): Promise<SettledSuspense> {
  const adId = await findAdOfPayment(tx, id);
  const ad = adId === null ? null : await lockPayableAd(tx, { id: adId });
  const payment = ad && (await findSuspendedPayment(tx, id));
  if (!payment) throw nothing();
  const now = ctx.now();
  if (!(await insertDecision(tx, { paymentId: id, txId: null, outcome, decidedAt: now }))) throw decided();
  await bookPayment(ctx, tx, payment, outcome);
  return { adId: payment.adId, name: `payment ${id}`, amountCents: payment.received?.amountCents ?? null };
}

async function bookPayment(
  ctx: Context,
  tx: Tx,
  { id, adId, book, received }: SuspendedPayment,
  outcome: SuspenseOutcome,
): Promise<void> {
  if (!received) {
    if (outcome === 'refunded')
      throw conflict(
        'This money is not in this marketplace’s books, so it can’t be refunded from here. Refund it in the provider’s dashboard, then say what it was.',
      );
    return;
  }
  const { amountCents, currency } = received;
  const now = ctx.now();
  await post(tx, {
    kind: 'suspense_settled',
    externalRef: `payment:${id}`,
    book,
    currency,
    occurredAt: now,
    recordedAt: now,
    adId,
    meta: { outcome },
    entries:
      outcome === 'refunded' ? suspenseOwed(adId, amountCents) : suspenseExplained(outcome, amountCents),
  });
  if (outcome === 'refunded') {
    const shares = { publisherCents: amountCents, commissionCents: 0 };
    await beginWholeRefund(tx, { ...shares, paymentId: id, cause: 'not_as_agreed' }, now);
  }
}

async function settleEntry(
  ctx: Context,
  tx: Tx,
  id: number,
  outcome: SuspenseOutcome,
): Promise<SettledSuspense> {
  const entry = await findSuspendedEntry(tx, id);
  if (!entry) throw nothing();
  if (outcome === 'refunded')
    throw conflict('The payer is unknown, so this money can’t be refunded. Say what it is instead.');
  const now = ctx.now();
  if (!(await insertDecision(tx, { paymentId: null, txId: id, outcome, decidedAt: now }))) throw decided();
  await post(tx, {
    kind: 'suspense_settled',
    externalRef: `entry:${id}`,
    book: entry.book,
    currency: entry.currency,
    occurredAt: now,
    recordedAt: now,
    adId: null,
    meta: { outcome, of: entry.externalRef },
    entries: suspenseExplained(outcome, entry.amountCents),
  });
  return { adId: null, name: entry.externalRef, amountCents: entry.amountCents };
}
