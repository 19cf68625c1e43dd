/**
 * Compares the ledger and the payments with the card provider. It reports differences and changes no payment, except by
 * refunds that were made at the provider.
 */
import { DAY_MS, HOUR_MS, later, utcDay } from '#domain/time.ts';
import type { PaymentIntent } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type LedgerTransaction, post } from '../ledger/post.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { askForRefund } from '../events/events.ts';
import { applyAnyRefund } from '../refunds/outside.ts';
import { refuseWhileWaiting } from '../provider-requests/answer-time.ts';
import {
  balanceDifferences,
  type Difference,
  entriesWithOtherAmount,
  entriesWithoutTransaction,
  firstPaymentAt,
  keepDifferences,
  keepReconciliation,
  keepTransactions,
  lastReconciliation,
  listDifferences,
  lockBooks,
  matchTransactions,
  paidPayments,
  selectPayments,
  unmatchedTransactions,
  type UnmatchedTransaction,
} from './store.ts';

/** Each comparison looks back this far behind the one before, because a provider lists some objects late. */
const OVERLAP_MS = 3 * DAY_MS;

/** Events may bring an entry this much later than the provider made its movement. [BOOK-02] */
const GRACE_MS = HOUR_MS;

const BATCH = 500;

export type { Difference } from './store.ts';

export type Reconciliation = {
  differences: Difference[];
  /** The provider's ids of paid intents of this installation that no payment has, as after a restored backup. */
  unknown: string[];
};

/**
 * Compares everything since the last comparison with the provider: each movement of its balance has one entry in the
 * ledger and the reverse, and each paid payment has a succeeded intent and the reverse. Refunds that were made outside are
 * adopted first. Movements that no sale explains are booked: payouts to the operator's bank, the provider's own fees, and unknown ones to suspense. Differences are kept
 * with the time of their first finding. Throws ProviderError if the provider cannot be asked, and 409 while
 * everything outgoing waits. [BOOK-02]
 */
export async function reconcile(ctx: Context): Promise<Reconciliation> {
  await refuseWhileWaiting(ctx);
  const { book } = ctx.payments;
  const now = ctx.now();
  const since = await beginning(ctx);
  if (since === null)
    return {
      differences: await ctx.db.transaction().execute((tx) => keepDifferences(tx, book, [], now)),
      unknown: [],
    };
  await readTransactions(ctx, since);
  await adoptRefunds(ctx);
  const intents = await ownIntents(ctx, since);
  return await ctx.db.transaction().execute(async (tx) => {
    await lockBooks(tx);
    await matchTransactions(tx, book);
    await bookUnexplained(ctx, tx);
    const { found, unknown } = await compareIntents(ctx, tx, intents, since);
    const differences = await keepDifferences(
      tx,
      book,
      [...(await compareTransactions(ctx, tx, since)), ...found],
      now,
    );
    await keepReconciliation(tx, book, now);
    return { differences, unknown };
  });
}

/** The job: compares once in each UTC day. [BOOK-02] */
export async function reconcileDaily(ctx: Context): Promise<void> {
  const last = await lastReconciliation(ctx.db, ctx.payments.book);
  if (last && utcDay(last) === utcDay(ctx.now())) return;
  const { differences, unknown } = await reconcile(ctx);
  if (differences.length > 0)
    ctx.log.error({ differences, unknown }, 'the ledger and the card provider disagree');
}

/** The findings of the last comparison, with its time; null before the first one. Reads no provider. */
export async function lastComparison({
  db,
  payments,
}: Context): Promise<{ at: Date; differences: Difference[] } | null> {
  const at = await lastReconciliation(db, payments.book);
  return at && { at, differences: await listDifferences(db, payments.book) };
}

async function beginning({ db, payments }: Context): Promise<Date | null> {
  const last = (await lastReconciliation(db, payments.book)) ?? (await firstPaymentAt(db, payments.book));
  return last && later(last, -OVERLAP_MS);
}

async function readTransactions(ctx: Context, since: Date): Promise<void> {
  const keep = async (batch: Parameters<typeof keepTransactions>[2]) =>
    await keepTransactions(ctx.db, ctx.payments.book, batch, ctx.now());
  let batch = [];
  for await (const transaction of ctx.payments.balanceTransactionsSince(since)) {
    batch.push(transaction);
    if (batch.length === BATCH) await keep(batch.splice(0));
  }
  await keep(batch);
}

const OF_REFUNDS = new Set(['refund', 'payment_refund', 'refund_failure', 'payment_failure_refund']);

/** Refunds that were made outside, whose events did not arrive, become refunds of ours before the comparison. [FIELD-75] */
async function adoptRefunds(ctx: Context): Promise<void> {
  const { book } = ctx.payments;
  const unmatched = await ctx.db.transaction().execute(async (tx) => {
    await lockBooks(tx);
    await matchTransactions(tx, book);
    return await unmatchedTransactions(tx, book);
  });
  const refundIds = unmatched.flatMap(({ type, sourceId }) =>
    OF_REFUNDS.has(type) && sourceId ? [sourceId] : [],
  );
  for (const refundId of new Set(refundIds)) {
    try {
      const refund = await askForRefund(ctx, refundId);
      await ctx.db.transaction().execute((tx) => applyAnyRefund(ctx, tx, refund));
    } catch (error) {
      ctx.log.error(
        { err: error, refundId },
        'a refund could not be booked; the next comparison tries it again',
      );
    }
  }
}

/** The succeeded intents of this installation. Other installations may share the provider's account. */
async function ownIntents(ctx: Context, since: Date): Promise<PaymentIntent[]> {
  const own = await installationId(ctx.db);
  const intents = [];
  for await (const intent of ctx.payments.intentsSince(since)) {
    if (intent.status === 'succeeded' && intent.metadata['installation'] === own) intents.push(intent);
  }
  return intents;
}

type Found = Omit<Difference, 'since'>;

async function compareTransactions(ctx: Context, tx: Tx, since: Date): Promise<Found[]> {
  const { book } = ctx.payments;
  const until = later(ctx.now(), -GRACE_MS);
  const missing = (await unmatchedTransactions(tx, book)).filter(({ createdAt }) => createdAt < until);
  const named = (kind: string) => (each: Omit<Found, 'kind'>) => ({ kind, ...each });
  return [
    ...missing.map(({ id, netCents, currency }) => ({
      kind: 'not_in_ledger',
      ref: id,
      amountCents: netCents,
      currency,
    })),
    ...(await entriesWithoutTransaction(tx, book, since, until)).map(named('not_at_provider')),
    ...(await entriesWithOtherAmount(tx, book, since)).map(named('other_amount')),
    ...(await balanceDifferences(tx, book)).map(named('balance')),
  ];
}

async function compareIntents(
  ctx: Context,
  tx: Tx,
  intents: PaymentIntent[],
  since: Date,
): Promise<{ found: Found[]; unknown: string[] }> {
  const { book } = ctx.payments;
  const payments = await selectPayments(tx, book, {
    ids: intents.map(({ metadata }) => Number(metadata['payment_id'])).filter(Number.isSafeInteger),
    intentIds: intents.map(({ id }) => id),
  });
  const until = later(ctx.now(), -GRACE_MS);
  const found: Found[] = [];
  const unknown: string[] = [];
  for (const { id, amountReceived, currency, metadata, chargedAt, createdAt } of intents) {
    const payment =
      payments.find(({ intentId }) => intentId === id) ??
      // The server may have stopped before it stored the intent's id.
      payments.find((each) => each.intentId === null && String(each.id) === metadata['payment_id']);
    const difference = { ref: id, amountCents: amountReceived, currency };
    if (!payment) {
      unknown.push(id);
      found.push({ kind: 'unknown_payment', ...difference });
    } else if (['open', 'canceled'].includes(payment.status) && (chargedAt ?? createdAt) < until) {
      found.push({ kind: 'not_booked', ...difference });
    }
  }
  const succeeded = new Set(intents.map(({ id }) => id));
  for (const { intentId, amountCents, currency } of await paidPayments(tx, book, since)) {
    if (!succeeded.has(intentId))
      found.push({ kind: 'no_such_charge', ref: intentId, amountCents, currency });
  }
  return { found, unknown };
}

/** The provider's types of movements that belong to a sale. Their entries come with the events about them. */
const OF_SALES = new Set([
  'charge',
  'payment',
  'refund',
  'payment_refund',
  'refund_failure',
  'payment_failure_refund',
  'adjustment',
  'transfer',
  'transfer_cancel',
  'transfer_failure',
  'transfer_refund',
]);

async function bookUnexplained(ctx: Context, tx: Tx): Promise<void> {
  const { book } = ctx.payments;
  for (const movement of await unmatchedTransactions(tx, book)) {
    // A movement in another currency than the marketplace's is listed as a difference.
    if (OF_SALES.has(movement.type) || movement.currency !== ctx.config.currency) continue;
    const account = accountFor(movement);
    if (account === 'suspense')
      ctx.log.error(
        { id: movement.id, type: movement.type },
        'an unknown movement of the provider’s balance is in suspense',
      );
    const entry: LedgerTransaction = {
      kind: account === 'suspense' ? 'suspense' : 'other',
      externalRef: movement.id,
      book,
      currency: ctx.config.currency,
      occurredAt: movement.createdAt,
      recordedAt: ctx.now(),
      adId: null,
      meta: { type: movement.type },
      entries: [
        { account: { kind: 'provider_balance', ownerId: null }, amountCents: movement.netCents },
        { account: { kind: account, ownerId: null }, amountCents: -movement.netCents },
      ],
    };
    if (movement.netCents !== 0) await post(tx, entry);
  }
  await matchTransactions(tx, book);
}

function accountFor({ type }: UnmatchedTransaction): 'bank' | 'processing_fees' | 'suspense' {
  if (/^payout(?:_|$)/.test(type)) return 'bank';
  return /^(?:stripe_fee|stripe_fx_fee|network_cost|tax_fee)$/.test(type) ? 'processing_fees' : 'suspense';
}
