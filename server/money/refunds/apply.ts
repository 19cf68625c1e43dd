import { nextLook, nextLookAtDone, nextTry } from '#domain/payments/refunds.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Refund } from '#server/platform/provider/payment-provider.ts';
import { notify } from '#server/notify/notify.ts';
import { issueCreditNote } from '../documents/issue.ts';
import { postRefund } from '../ledger/refunds.ts';
import { ourKey } from '../provider-requests/hashes.ts';
import {
  findGoodTry,
  findTryOf,
  lockRefund,
  type RefundRow,
  type TryRow,
  type TryState,
  updateRefund,
  updateTry,
} from './store.ts';

/** A try never moves back in this order, because events arrive late and in any order. */
const ORDER: readonly TryState[] = ['trying', 'pending', 'succeeded', 'failed'];

const STATE_OF: Record<Refund['status'], TryState> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * Updates a refund to the provider's present state. The job that sends it, the provider's events and the sweep all call
 * this function, in any order and any number of times. A refund that fails, also after it succeeded, is owed again.
 * Returns false if the refund is not one of ours. [REFU-03]
 */
export async function applyRefund(ctx: Context, tx: Tx, refund: Refund): Promise<boolean> {
  const found = await findTryOf(tx, { providerId: refund.id, key: ourKey(refund, 'refund_key') });
  if (!found) return false;
  const ours = await lockRefund(tx, found.refundId);
  // Another transaction may have changed the try while this one waited for the lock.
  const known = await findTryOf(tx, { providerId: refund.id, key: found.key });
  if (!ours || !known) throw new Error(`The try ${found.key} of a refund is gone`);
  if (isOver(known, refund)) return true;
  if (refund.amount !== ours.amountCents || refund.currency.toUpperCase() !== ours.currency) {
    throw new Error(`The provider's refund ${refund.id} is not the amount of refund ${ours.id}`);
  }
  const { takenBy, returnedBy } = await book(ctx, tx, ours, known, refund);
  const state = STATE_OF[refund.status];
  // Money that the provider took is owed again only when it has come back. The provider is asked until it says so.
  const isReturning = state === 'failed' && takenBy !== null && returnedBy === null;
  const isMade = state !== 'failed' && (await reviveTry(tx, known));
  const isLate = !isMade && ORDER.indexOf(state) < ORDER.indexOf(known.state);
  const after = isReturning || isLate ? known.state : state;
  await updateTry(tx, known.key, {
    providerId: refund.id,
    takenBy,
    returnedBy,
    state: after === 'trying' ? 'pending' : after,
    ...(state === 'failed' && { error: refund.failureReason ?? refund.status }),
  });
  if (known.state === 'failed' && !isMade) return true;
  await settle(ctx, tx, ours, known, after, { isReturning, isBooked: takenBy !== null, refund });
  return true;
}

/**
 * Whether a made refund has failed and no money of it is away: the provider has brought it back, or never moved any. Since
 * then, other refunds may have changed the amount that is owed.
 */
function isOver({ state, providerId, returnedBy }: TryRow, { status, balanceTransaction }: Refund): boolean {
  if (state !== 'failed' || providerId === null) return false;
  return returnedBy !== null || (STATE_OF[status] === 'failed' && balanceTransaction === null);
}

/**
 * Whether the provider has made a refund that we had recorded as refused. A request whose answer was lost can be
 * refused when it is repeated. The made refund counts, so a later try that has not been sent ends.
 */
async function reviveTry(tx: Tx, { refundId, state, providerId }: TryRow): Promise<boolean> {
  if (state !== 'failed' || providerId !== null) return false;
  const later = await findGoodTry(tx, refundId);
  if (later && later.providerId !== null) return false;
  if (later) await updateTry(tx, later.key, { state: 'failed', error: 'an earlier try was made' });
  return true;
}

/** Posts the movements of the provider's balance that are not in the ledger yet, each once. */
async function book(
  ctx: Context,
  tx: Tx,
  ours: RefundRow,
  known: TryRow,
  refund: Refund,
): Promise<Pick<TryRow, 'takenBy' | 'returnedBy'>> {
  const { id: providerId, balanceTransaction, failureBalanceTransaction } = refund;
  let { takenBy, returnedBy } = known;
  const { amountCents, book: moneyBook, currency, adId } = ours;
  const entry = { providerId, amountCents, book: moneyBook, currency, adId, recordedAt: ctx.now() };
  if (takenBy === null && balanceTransaction) {
    takenBy = balanceTransaction.id;
    await postRefund(tx, { kind: 'refund', ...entry, transaction: balanceTransaction });
  }
  if (takenBy !== null && returnedBy === null && failureBalanceTransaction) {
    returnedBy = failureBalanceTransaction.id;
    await postRefund(tx, { kind: 'refund_failed', ...entry, transaction: failureBalanceTransaction });
  }
  return { takenBy, returnedBy };
}

async function settle(
  ctx: Context,
  tx: Tx,
  ours: RefundRow,
  known: TryRow,
  state: TryState,
  { isReturning, isBooked, refund }: { isReturning: boolean; isBooked: boolean; refund: Refund },
): Promise<void> {
  const now = ctx.now();
  const { id, adId, amountCents } = ours;
  if (state === 'failed') {
    const lastError = refund.failureReason ?? refund.status;
    await updateRefund(tx, id, { status: 'owed', lookAt: nextTry(ours.attempts, now), lastError }, now);
    ctx.log.error({ refundId: id, providerId: refund.id, lastError }, 'a refund failed; it is owed again');
    if (ours.status !== 'owed') await notify(ctx, tx, { kind: 'refund-returned', adId, amountCents });
    return;
  }
  const isDone = state === 'succeeded';
  const lookAt =
    isDone && isBooked && !isReturning ? nextLookAtDone(known.beganAt, now) : nextLook(known.beganAt, now);
  await updateRefund(tx, id, { status: isDone ? 'done' : 'sent', lookAt, lastError: null }, now);
  if (ours.status !== 'owed') return;
  const creditNote = await issueCreditNote(ctx, tx, id);
  await notify(ctx, tx, { kind: 'payment-refunded', adId, amountCents, creditNote });
}
