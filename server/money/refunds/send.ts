import { refundSettled } from '#domain/payments/lost-disputes.ts';
import { nextTry } from '#domain/payments/refunds.ts';
import { DAY_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Refund } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { issueCreditNote } from '../documents/issue.ts';
import { post } from '../ledger/post.ts';
import { type RequestKind, sendRequest, sweep } from '../provider-requests/request.ts';
import { applyRefund } from './apply.ts';
import { settleByLostDispute } from './disputed.ts';
import { adoptRefundsOf } from './outside.ts';
import {
  findGoodTry,
  findUnmade,
  insertTry,
  isOtherInFlight,
  listKeys,
  lockRefund,
  type RefundRow,
  takeDueRefunds,
  type TryRow,
  updateRefund,
  updateTry,
} from './store.ts';

/** A request to the provider has ended after this time, with its repetition by the provider's client. */
const REQUEST_MS = MINUTE_MS;

/** The provider refuses these while a dispute of the charge is open, and after it was lost. */
const DISPUTED = 'charge_disputed';

/** A refund with the try whose outcome counts. Without such a try, the refund is `owed`. */
type RefundRequest = RefundRow & {
  key: string | null;
  providerId: string | null;
  state: TryRow['state'] | 'owed';
  sentAt: Date | null;
};

const REFUND: RequestKind<RefundRequest, Refund> = {
  name: 'refund',
  async lock(tx, id) {
    const refund = await lockRefund(tx, id);
    const known = refund && (await findGoodTry(tx, id));
    if (known) return withTry(refund, known);
    // A refund that was paid by hand, or that a lost dispute has taken, is done without a try.
    if (!refund || refund.status === 'done') return null;
    return { ...refund, key: null, providerId: null, state: 'owed', sentAt: null };
  },
  async prepare(ctx, tx, refund) {
    if (refund.key !== null) return refund;
    if (await isOtherInFlight(tx, refund)) return null;
    return withTry(refund, await insertTry(tx, refund, ctx.now()));
  },
  async update(tx, { id, key }, { lookAt, attempts, error }, now) {
    await updateRefund(tx, id, { lookAt, attempts, lastError: error }, now);
    if (attempts !== undefined && key !== null) await updateTry(tx, key, { askedAt: now });
  },
  async find(ctx, refund) {
    return refund.providerId === null
      ? await findAtProvider(ctx, refund)
      : await ctx.payments.getRefund(refund.providerId);
  },
  async send(ctx, { ref, key, intentId, amountCents }, installation) {
    const metadata = { refund_id: ref, refund_key: String(key), installation };
    return await ctx.payments.refund({ intentId, amount: amountCents, metadata }, `re:${key}`);
  },
  async apply(ctx, tx, _row, refund) {
    if (!(await applyRefund(ctx, tx, refund))) throw new Error(`Refund ${refund.id} has no try of ours`);
  },
  /** The next try has a new key, because a provider repeats a stored refusal. */
  async refuse(ctx, tx, refund, reason) {
    const now = ctx.now();
    await updateTry(tx, String(refund.key), { state: 'failed', error: reason });
    const isDisputed = reason === DISPUTED;
    if (isDisputed && (await settleByDispute(ctx, tx, refund))) return;
    const lookAt = isDisputed ? later(now, DAY_MS) : nextTry(refund.attempts, now);
    await updateRefund(tx, refund.id, { lookAt, lastError: reason }, now);
  },
  logRefusal: (log, details) =>
    log.error(details, 'the provider refused a refund; we still owe it to the advertiser'),
};

function withTry(refund: RefundRow, { key, providerId, state, askedAt, beganAt }: TryRow): RefundRequest {
  return { ...refund, key, providerId, state, sentAt: askedAt ?? beganAt };
}

/**
 * Sends a refund to the provider, or asks about one that it has accepted. If the provider can't be reached or refuses, the
 * refund stays owed and the sweep sends it again, later each time. A refusal may mean that the money was refunded outside,
 * which then takes its place. [REFU-03, FIELD-79]
 */
export async function sendRefund(ctx: Context, id: number): Promise<void> {
  const { book } = ctx.payments;
  const unsent = await findUnmade(ctx.db, id, book);
  // One that was not sent at once may be that of a restored backup, and have been sent after the backup.
  if (unsent?.attempts === 0 && unsent.createdAt <= later(ctx.now(), -REQUEST_MS))
    try {
      await adoptRefundsOf(ctx, unsent.intentId);
    } catch (error) {
      const lastError = error instanceof Error ? error.message : String(error);
      const now = ctx.now();
      await ctx.db
        .transaction()
        .execute((tx) => updateRefund(tx, id, { lookAt: nextTry(1, now), lastError }, now));
      throw error;
    }
  await sendRequest(ctx, REFUND, id);
  const refused = await findUnmade(ctx.db, id, book);
  if (refused && refused.attempts > 0 && refused.lastError !== DISPUTED)
    await adoptRefundsOf(ctx, refused.intentId);
}

/** Sends all refunds that are due, and asks about those on their way. Returns how many it brought up to date. */
export async function sendDueRefunds(ctx: Context): Promise<number> {
  return await sweep(ctx, 'refunds', takeDueRefunds, (id) => sendRefund(ctx, id));
}

/**
 * Sends a refund at once and under a new key. First it looks for the refund at the provider, so that a request whose
 * answer was lost is not repeated. While a request may still be on its way, its key is kept. Returns false if there is no
 * such refund or it is done. The refund stays owed if the provider refuses again.
 */
export async function retryRefund(ctx: Context, id: number): Promise<boolean> {
  const refund = await ctx.db.transaction().execute((tx) => REFUND.lock(tx, id));
  if (!refund || refund.status === 'done') return false;
  const { key, state, sentAt } = refund;
  if (state === 'trying' && key !== null && sentAt && ctx.now() >= later(sentAt, REQUEST_MS)) {
    const found = await findAtProvider(ctx, refund);
    await ctx.db.transaction().execute(async (tx) => {
      const present = await REFUND.lock(tx, id);
      if (found) await applyRefund(ctx, tx, found);
      else if (present?.key === key)
        await updateTry(tx, key, { state: 'failed', error: 'replaced by a new try' });
    });
  }
  await sendRefund(ctx, id);
  return true;
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

/** A refund that a lost dispute has already taken is not owed any more. Returns false if there is no such dispute. */
async function settleByDispute(ctx: Context, tx: Tx, refund: RefundRow): Promise<boolean> {
  const now = ctx.now();
  const disputeId = await settleByLostDispute(tx, refund, now);
  if (disputeId === null) return false;
  const { ref, book, currency, adId, amountCents } = refund;
  const settled = {
    kind: 'refund_settled',
    book,
    currency,
    occurredAt: now,
    recordedAt: now,
    adId,
    meta: { dispute: disputeId },
    entries: refundSettled(adId, amountCents),
  } as const;
  // A bank can return a payment and take it again by another dispute, whose entry needs another name.
  if (!(await post(tx, { ...settled, externalRef: ref })))
    await post(tx, { ...settled, externalRef: `${ref}:${disputeId}` });
  await issueCreditNote(ctx, tx, refund.id);
  return true;
}
