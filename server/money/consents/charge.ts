import { decimalOf } from '#domain/money.ts';
import { nextTry } from '#domain/payments/refunds.ts';
import { HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import {
  AUTHENTICATION_REQUIRED,
  type PaymentIntent,
  ProviderError,
} from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { payableIntent } from '../checkout/create-intent.ts';
import { finalisePayment } from '../checkout/finalise.ts';
import { openPayment } from '../checkout/open-payment.ts';
import type { Payment } from '../checkout/payment.ts';
import {
  type Chargeable,
  endConsentOfAd,
  findChargeable,
  lockChargeable,
  markCharging,
  markNotCharged,
  postponeCharge,
  takeDueCharges,
} from '../checkout/consent-rows.ts';
import { requirePrintableReceipt } from '../documents/printer.ts';
import { isAway } from '../provider-requests/answer-time.ts';
import { sweep } from '../provider-requests/request.ts';

/** After this many charges without an answer, which take about four hours, the advertiser is asked to pay. */
const MAX_ATTEMPTS = 8;

/** An ad that cannot be paid for now, such as in a paused zone, is tried again after this time. */
const RETRY_MS = 5 * MINUTE_MS;

/**
 * The job. Charges an approved ad to the card of its consent, if there is one, through the same payment as at the
 * checkout. If the bank declines or wants the advertiser, the ad stays approved, and we e-mail them.
 */
export async function chargeConsented(ctx: Context, adId: number): Promise<void> {
  const isPrintable = await canPrintReceipt(ctx, adId);
  const claimed = await ctx.db.transaction().execute((tx) => claim(ctx, tx, adId, isPrintable));
  if (claimed === null) return;
  const { chargeable, payment, publicId } = claimed;
  const { id, cardId } = chargeable;
  try {
    const intent = await payableIntent(ctx, payment);
    // The payment was closed, so the next try opens a new one.
    if (intent === null) return;
    const charged = await ctx.payments.chargeSaved(
      {
        intentId: intent.id,
        cardId,
        returnUrl: `${ctx.config.publicUrl}/checkout/${publicId}`,
      },
      `off:${id}:${payment.key}`,
    );
    await ctx.db.transaction().execute(async (tx) => {
      const known = { ...payment, intentId: intent.id };
      const outcome = await finalisePayment(ctx, tx, known, charged);
      if (outcome === 'waiting') await giveUp(ctx, tx, { id, adId }, refusalOf(charged));
      if (outcome === 'suspense') await endConsentOfAd(tx, adId, 'failed', ctx.now());
    });
  } catch (error) {
    if (isAway(error)) {
      ctx.log.warn({ err: error, adId }, 'a charge on approval got no answer; trying again later');
    } else if (error instanceof ProviderError && ['invalid', 'not_found', 'declined'].includes(error.kind)) {
      // The provider does not know the card any more, or refuses it for this charge.
      ctx.log.error({ err: error, adId }, 'the provider refused a charge on approval');
      await ctx.db.transaction().execute((tx) => giveUp(ctx, tx, { id, adId }, 'failed'));
    } else if (!(error instanceof HttpError)) {
      throw error;
    }
  }
}

async function canPrintReceipt(ctx: Context, adId: number): Promise<boolean> {
  try {
    await requirePrintableReceipt(ctx, { id: adId });
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

/** Charges the approved ads whose job was lost, or whose last try had no end. Returns how many were tried. */
export async function chargeDueConsents(ctx: Context): Promise<number> {
  return await sweep(ctx, 'charges on approval', takeDueCharges, ({ adId }) => chargeConsented(ctx, adId));
}

type Claimed = { chargeable: Chargeable; payment: Payment; publicId: string };

/**
 * Commits that the ad is being charged, and its payment, before the provider is asked. So a withdrawal comes either
 * before, and nothing is charged, or after, and the charge stands.
 */
async function claim(ctx: Context, tx: Tx, adId: number, isPrintable: boolean): Promise<Claimed | null> {
  const ad = await lockPayableAd(tx, { id: adId });
  const found = ad && (await findChargeable(tx, adId));
  if (!ad || !found) return null;
  const at = ctx.now();
  if (found.book !== ctx.payments.book) {
    // The card is at another provider, which only its own settings can reach.
    await postponeCharge(tx, found.id, later(at, HOUR_MS));
    return null;
  }
  if (ad.status !== 'approved') {
    // The ad has ended while its charge had no answer. Money that arrives all the same is refunded.
    if (found.state === 'charging') await endConsentOfAd(tx, adId, 'failed', at);
    return null;
  }
  if (!isPrintable) {
    await postponeCharge(tx, found.id, later(at, RETRY_MS));
    return null;
  }
  let payment: Payment;
  try {
    const claimed = { amount: decimalOf(ad.amountCents), adPublicId: ad.publicId };
    payment = await openPayment(ctx, tx, found, claimed);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The ad can't be paid for now, for example because its zone is paused.
    await postponeCharge(tx, found.id, later(at, RETRY_MS));
    return null;
  }
  const chargeable = await lockChargeable(tx, adId);
  if (!chargeable) return null;
  const { id, amountCents, usedCents, limitCents, attempts } = chargeable;
  if (amountCents !== ad.amountCents || usedCents + amountCents > limitCents || attempts >= MAX_ATTEMPTS) {
    await giveUp(ctx, tx, { id, adId }, 'failed');
    return null;
  }
  await markCharging(tx, id, { paymentId: payment.id, nextTryAt: nextTry(attempts + 1, at), at });
  return { chargeable, payment, publicId: ad.publicId };
}

/** The charge ended without money. The ad stays approved, and the advertiser can pay by hand. */
async function giveUp(
  ctx: Context,
  tx: Tx,
  { id, adId }: { id: number; adId: number },
  state: 'needs_action' | 'failed',
): Promise<void> {
  if (await markNotCharged(tx, id, state, ctx.now()))
    await notify(ctx, tx, { kind: 'charge-failed', adId, isChallenge: state === 'needs_action' });
}

const refusalOf = ({ status, lastError }: PaymentIntent): 'needs_action' | 'failed' =>
  status === 'requires_action' || lastError?.code === AUTHENTICATION_REQUIRED ? 'needs_action' : 'failed';
