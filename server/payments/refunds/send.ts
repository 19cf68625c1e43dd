import { refundSettled } from '#domain/payments/lost-disputes.ts';
import { nextTry } from '#domain/payments/refunds.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { ProviderError, type Refund } from '../../adapters/payment-provider.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { issueCreditNote } from '../documents/issue.ts';
import { applyRefund } from './apply.ts';
import { installationId } from '../ledger/installation.ts';
import { post } from '../ledger/post.ts';
import {
  findGoodTry,
  insertTry,
  isOtherInFlight,
  listKeys,
  lockRefund,
  type RefundRow,
  settleByLostDispute,
  takeDueRefunds,
  type TryRow,
  updateRefund,
  updateTry,
} from './store.ts';

const BATCH = 100;

/** A request to the provider has ended after this time, with its repetition by the provider's client. */
const REQUEST_MS = MINUTE_MS;

type Request = { refund: RefundRow; attempt: TryRow };

/**
 * Sends a refund to the provider, or asks about one that it has accepted. The key of the request is committed before the
 * call, so a repetition after a crash does not refund twice. If the provider can't be reached or refuses, the refund
 * stays owed and the sweep sends it again, later each time. [REFU-03]
 */
export async function sendRefund(ctx: Context, id: number): Promise<void> {
  const request = await beginTry(ctx, id);
  if (!request) return;
  let refund: Refund;
  try {
    refund = await ask(ctx, request);
  } catch (error) {
    await noteFailure(ctx, request, error);
    return;
  }
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await applyRefund(ctx, tx, refund))) throw new Error(`Refund ${refund.id} has no try of ours`);
  });
}

/**
 * Sends all refunds that are due, and asks about those on their way. One that fails does not hold up the others. Returns
 * how many it looked at.
 */
export async function sendDueRefunds(ctx: Context): Promise<number> {
  let looked = 0;
  for (;;) {
    const now = ctx.now();
    const due = await takeDueRefunds(ctx.db, now, later(now, 2 * MINUTE_MS), BATCH);
    for (const refundId of due) {
      try {
        await sendRefund(ctx, refundId);
      } catch (error) {
        ctx.log.error({ err: error, refundId }, 'a refund could not be brought up to date; trying again');
      }
    }
    looked += due.length;
    if (due.length < BATCH) return looked;
  }
}

/**
 * Sends a refund at once and under a new key. First it looks for the refund at the provider, so that a request whose
 * answer was lost is not repeated. While a request may still be on its way, its key is kept. Returns false if there is no
 * such refund or it is done. The refund stays owed if the provider refuses again.
 */
export async function retryRefund(ctx: Context, id: number): Promise<boolean> {
  const doubt = await ctx.db.transaction().execute(async (tx) => {
    const refund = await lockRefund(tx, id);
    if (!refund || refund.status === 'done') return null;
    const attempt = await findGoodTry(tx, id);
    const isOver =
      attempt?.state === 'trying' && ctx.now() >= later(attempt.askedAt ?? attempt.beganAt, REQUEST_MS);
    return { refund, attempt: isOver ? attempt : null };
  });
  if (!doubt) return false;
  if (doubt.attempt) {
    const found = await findAtProvider(ctx, doubt.refund);
    const { key } = doubt.attempt;
    await ctx.db.transaction().execute(async (tx) => {
      await lockRefund(tx, id);
      if (found) await applyRefund(ctx, tx, found);
      else if ((await findGoodTry(tx, id))?.key === key)
        await updateTry(tx, key, { state: 'failed', error: 'replaced by a new try' });
    });
  }
  await sendRefund(ctx, id);
  return true;
}

/** Commits the try whose key the request will have. Null if there is nothing to ask now. */
async function beginTry(ctx: Context, id: number): Promise<Request | null> {
  return await ctx.db.transaction().execute(async (tx) => {
    const refund = await lockRefund(tx, id);
    if (!refund) return null;
    const now = ctx.now();
    if (refund.book !== ctx.payments.book) {
      // The money is at another provider, which only its own settings can reach.
      await updateRefund(tx, id, { lookAt: later(now, HOUR_MS) }, now);
      return null;
    }
    const known = await findGoodTry(tx, id);
    if (known && known.state !== 'trying') return { refund, attempt: known };
    if (!known && (await isOtherInFlight(tx, refund))) {
      await updateRefund(tx, id, { lookAt: later(now, MINUTE_MS) }, now);
      return null;
    }
    const attempts = refund.attempts + 1;
    await updateRefund(tx, id, { attempts, lookAt: nextTry(attempts, now) }, now);
    const attempt = known ?? (await insertTry(tx, refund, now));
    await updateTry(tx, attempt.key, { askedAt: now });
    return { refund: { ...refund, attempts }, attempt };
  });
}

async function ask(ctx: Context, { refund, attempt }: Request): Promise<Refund> {
  if (attempt.providerId !== null) return await ctx.payments.getRefund(attempt.providerId);
  // An earlier request may have succeeded although its answer was lost. Look for it first, because a repetition may be
  // refused, or made twice if the provider has forgotten its key.
  const found = refund.attempts > 1 ? await findAtProvider(ctx, refund) : null;
  if (found) return found;
  const metadata = {
    refund_id: refund.ref,
    refund_key: attempt.key,
    installation: await installationId(ctx.db),
  };
  return await ctx.payments.refund(
    { intentId: refund.intentId, amount: refund.amountCents, metadata },
    `re:${attempt.key}`,
  );
}

/** Finds a refund that the provider made for one of our tries and has not failed. */
async function findAtProvider(ctx: Context, { id, intentId }: RefundRow): Promise<Refund | null> {
  const keys = new Set(await listKeys(ctx.db, id));
  for await (const refund of ctx.payments.refundsOf(intentId)) {
    const isOurs = keys.has(refund.metadata['refund_key'] ?? '');
    if (isOurs && refund.status !== 'failed' && refund.status !== 'canceled') return refund;
  }
  return null;
}

/** The provider refuses these while a dispute of the charge is open, and after it was lost. */
const DISPUTED = 'charge_disputed';

/** A refund that a lost dispute has already taken is not owed any more. Returns false if there is no such dispute. */
async function settleByDispute(ctx: Context, tx: Tx, refund: RefundRow): Promise<boolean> {
  const now = ctx.now();
  const disputeId = await settleByLostDispute(tx, refund, now);
  if (disputeId === null) return false;
  const { ref, book, currency, adId, amountCents } = refund;
  await post(tx, {
    kind: 'refund_settled',
    externalRef: ref,
    book,
    currency,
    occurredAt: now,
    recordedAt: now,
    adId,
    meta: { dispute: disputeId },
    entries: refundSettled(adId, amountCents),
  });
  await issueCreditNote(ctx, tx, refund.id);
  return true;
}

/**
 * Records why a request failed. After a refusal the next try has a new key, because a provider repeats a stored refusal.
 * After an unknown outcome the same key is sent again.
 */
async function noteFailure(ctx: Context, { refund, attempt }: Request, error: unknown): Promise<void> {
  const now = ctx.now();
  const lastError =
    error instanceof ProviderError ? (error.code ?? error.kind) : 'The provider could not be reached';
  const isRefused =
    attempt.providerId === null &&
    error instanceof ProviderError &&
    ['declined', 'invalid', 'not_found'].includes(error.kind);
  await ctx.db.transaction().execute(async (tx) => {
    const present = await lockRefund(tx, refund.id);
    const known = await findGoodTry(tx, refund.id);
    // An event may have brought the refund up to date meanwhile.
    if (!present || known?.key !== attempt.key || known.state !== attempt.state) return;
    if (isRefused) await updateTry(tx, attempt.key, { state: 'failed', error: lastError });
    if (isRefused && lastError === DISPUTED && (await settleByDispute(ctx, tx, present))) return;
    const lookAt = lastError === DISPUTED ? later(now, DAY_MS) : nextTry(Math.max(1, refund.attempts), now);
    await updateRefund(tx, refund.id, { lookAt, lastError }, now);
  });
  const details = { err: error, refundId: refund.id, attempts: refund.attempts };
  if (isRefused) ctx.log.error(details, 'the provider refused a refund; we still owe it to the advertiser');
  else ctx.log.warn(details, 'a refund could not be sent or asked about; trying again later');
}
