/** The fee, the limits and the review of a cancel. See docs/decisions/030-refunds.md. */
import {
  CANCEL_WAITS_DAYS,
  CANCELS_WITHIN_MS,
  FREE_CANCEL_EVERY_MS,
  REVIEWED_WITHIN_MS,
  usualFee,
} from '#domain/payments/cancels.ts';
import { decimalOf, moneyText } from '#domain/money.ts';
import { later, SECOND_MS } from '#domain/time.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import { extendByPause } from '#server/ads/clock/clock-store.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, HttpError, notFound } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { endAndRefund } from '../end.ts';
import {
  clearNetworks,
  clearWaiting,
  decide,
  findCanceled,
  findFee,
  insertCancel,
  isHeldByOthers,
  listCancelTimes,
  markWaiting,
} from '../store-cancels.ts';
import { decisionTexts, MONEY_PAGE } from './overdue.ts';

export type CancelTerms = {
  paymentId: number;
  /** The provider's fee that the advertiser would bear, before it is limited to the refund. */
  feeCents: number;
  /** How many campaigns can be canceled now. */
  left: number;
  /** When one more can be canceled, if none is left. */
  nextAt: Date | null;
  /** Whether the cancel waits for the operator. */
  waits: boolean;
};

/** The cost and the limits of a cancel of a running ad now. The caller has locked the ad. [OWNS-80, OWNS-82, OWNS-83] */
export async function cancelTerms(
  ctx: Context,
  tx: Tx,
  adId: number,
  network: string | null,
): Promise<CancelTerms> {
  const { cancels } = ctx.config;
  const now = ctx.now();
  const payment = await findCanceled(tx, adId);
  const allowed = allowedCancels(ctx);
  const who = { userId: payment.userId, card: payment.card, network };
  const counted = await listCancelTimes(tx, who, later(now, -CANCELS_WITHIN_MS));
  const most = counted.reduce((one, other) => (other.length > one.length ? other : one), []);
  const left = Math.max(0, allowed - most.length);
  return {
    paymentId: payment.id,
    feeCents: (await bearsFee())
      ? ((await findFee(tx, adId, payment.currency)) ?? usualFee(payment.amountCents))
      : 0,
    left,
    nextAt: nextCancelAt(most, allowed),
    waits:
      payment.amountCents >= cancels.reviewAboveCents &&
      payment.paidAt !== null &&
      now.getTime() - payment.paidAt.getTime() < REVIEWED_WITHIN_MS,
  };

  async function bearsFee(): Promise<boolean> {
    if (cancels.fee === 'operator' || (await isHeldByOthers(tx, adId))) return false;
    if (cancels.fee === 'buyer') return true;
    const nobody = { userId: payment.userId, card: null, network: null };
    const [own] = await listCancelTimes(tx, nobody, later(now, -FREE_CANCEL_EVERY_MS));
    return (own?.length ?? 0) > 0;
  }
}

const allowedCancels = ({ config }: Pick<Context, 'config'>): number =>
  Math.max(1, Math.round(config.cancels.perDay * config.rateLimitFactor));

/** A cancel is possible again when only `allowed - 1` of these are left in the window. Null if one is possible now. */
function nextCancelAt(counted: readonly Date[], allowed: number): Date | null {
  const blocking = counted[counted.length - allowed];
  return blocking ? later(blocking, CANCELS_WITHIN_MS) : null;
}

export type CancelsOfPerson = { counted: number; allowed: number; nextAt: Date | null };

/**
 * How many campaigns a person has canceled in 24 hours, and how many they can. Others who use the same card or network can
 * leave them fewer. [OWNS-82]
 */
export async function cancelsOfPerson(ctx: Context, userId: number): Promise<CancelsOfPerson> {
  const since = later(ctx.now(), -CANCELS_WITHIN_MS);
  const [own = []] = await listCancelTimes(ctx.db, { userId, card: null, network: null }, since);
  const allowed = allowedCancels(ctx);
  return { counted: own.length, allowed, nextAt: nextCancelAt(own, allowed) };
}

/** Throws 429 if no cancel is left. */
export function requireCancelLeft({ nextAt, left }: CancelTerms, now: Date): void {
  if (left > 0) return;
  const seconds = nextAt === null ? 1 : (nextAt.getTime() - now.getTime()) / SECOND_MS;
  throw new HttpError(
    429,
    'You have canceled as many campaigns as is possible within 24 hours. Please try again later.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } },
  );
}

/** Records a cancel in the caller's transaction, which has taken the lock of cancels and locked the ad. Returns its id. */
export async function recordCancel(
  ctx: Context,
  tx: Tx,
  adId: number,
  cancel: { terms: CancelTerms; network: string | null; refundCents: number },
): Promise<number> {
  const { terms, network, refundCents } = cancel;
  const state = terms.waits ? 'waiting' : 'done';
  const now = ctx.now();
  if (terms.waits) await markWaiting(tx, adId, now);
  const { paymentId, feeCents } = terms;
  return await insertCancel(tx, { paymentId, network, state, refundCents, feeCents }, now);
}

/** Mails both sides and the operator that a cancel waits, in the transaction that records it. */
export async function tellWaiting(
  ctx: Context,
  tx: Tx,
  adId: number,
  { refundCents, keptCents }: { refundCents: number; keptCents: number },
): Promise<void> {
  await notify(ctx, tx, { kind: 'cancel-waiting', adId, refundCents, keptCents });
  const amount = moneyText(decimalOf(refundCents), ctx.config.currency);
  await mailOperator(ctx, tx, {
    kind: 'cancel-waiting',
    title: 'A cancel waits for you',
    paragraphs: [
      `The advertiser of ad ${adId} has canceled it within an hour of the payment, and would get ${amount} back. The ad isn’t shown until you decide. If you don’t decide within ${CANCEL_WAITS_DAYS.release} days, the cancel is carried out by itself.`,
      ...decisionTexts(adId),
    ],
    action: MONEY_PAGE,
  });
}

export { closeWaiting } from '../store-cancels.ts';

/** Carries out the waiting cancel of an ad. Returns the refund in cents. Throws 404 or 409 if none waits. [OWNS-83] */
export async function releaseCancel(ctx: Context, tx: Tx, adId: number): Promise<number> {
  await requireAd(tx, adId);
  const refundCents = await carryOutWaiting(ctx, tx, adId);
  if (refundCents === null) throw noneWaits();
  return refundCents;
}

/**
 * The same without a refusal. Returns null if no cancel waits, or if the campaign has ended meanwhile, whose cancel is then
 * closed. Of several callers at once, one carries it out. [REFU-200]
 */
export async function carryOutWaiting(ctx: Context, tx: Tx, adId: number): Promise<number | null> {
  await lockPayableAd(tx, { id: adId });
  const cancel = await decide(tx, adId, 'done');
  if (!cancel) return null;
  const at = ctx.now();
  const ended = await endAndRefund(ctx, tx, {
    adId,
    endedReason: 'canceled',
    at,
    cancel: { ...cancel, isReleased: true },
  });
  if (!ended) await clearWaiting(tx, adId, at);
  return ended?.refundCents ?? null;
}

/**
 * Shows the ad again, and mails both sides. Its end moves by the time for which its cancel has waited. Throws 404 or 409 if
 * none waits. [OWNS-83]
 */
export async function refuseCancel(ctx: Context, tx: Tx, adId: number, reason: string): Promise<void> {
  const ad = await requireAd(tx, adId);
  const cancel = ad.status === 'active' ? await decide(tx, adId, 'refused') : null;
  if (!cancel) throw noneWaits();
  const to = ctx.now();
  await clearWaiting(tx, adId, to);
  const [moved] = await extendByPause(tx, { of: 'ad', id: adId }, { from: cancel.createdAt, to });
  await notify(ctx, tx, { kind: 'cancel-refused', adId, reason, endDate: moved?.endDate ?? null });
}

async function requireAd(tx: Tx, adId: number) {
  const ad = await lockPayableAd(tx, { id: adId });
  if (!ad) throw notFound('There is no ad with this number.');
  return ad;
}

const noneWaits = () =>
  conflict('No cancel of this ad waits for you. `openslot money list` shows those that do.');

/**
 * The cost of a cancel for the advertiser of an ad, before the payment and after it. The provider's fee is only known after
 * the payment, so that of a usual card stands for it before. [OWNS-80]
 */
export async function cancelCost(
  ctx: Context,
  adId: number,
  amountCents: number,
): Promise<{ cancelFee: string; cancelSentence: string | null }> {
  const { cancels, currency } = ctx.config;
  if (cancels.fee === 'operator') return { cancelFee: decimalOf(0), cancelSentence: null };
  const known = await findFee(ctx.db, adId, currency);
  const cents = Math.min(amountCents, known ?? usualFee(amountCents));
  const fee = `${known === null ? 'about ' : ''}${moneyText(decimalOf(cents), currency)}`;
  return {
    cancelFee: decimalOf(cents),
    cancelSentence: `If you cancel, the card provider’s fee of ${fee} isn’t refunded.${cancels.fee === 'free-once' ? ' Your first cancel in 30 days is free.' : ''}`,
  };
}

/** Forgets the networks of cancels that count no longer. */
export async function forgetNetworksOfCancels(ctx: Context): Promise<void> {
  await clearNetworks(ctx.db, later(ctx.now(), -CANCELS_WITHIN_MS));
}
