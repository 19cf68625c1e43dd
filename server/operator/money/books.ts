/** Operators' acts about held earnings, disputes and money in suspense. Each has its entry in the audit trail. */
import { decimalOf } from '#domain/money.ts';
import { percentOf } from '#domain/payments/tax.ts';
import type { SuspenseOutcome } from '#domain/payments/suspense.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { forbidden } from '#server/platform/http/errors.ts';
import { holdEarnings, type HeldEarnings, releaseEarnings } from '#server/money/books/holds.ts';
import { bookTaxPaid, bookTaxRefunded, type TaxPayment } from '#server/money/books/pay-tax.ts';
import { type SettledSuspense, settleSuspense, type SuspenseRef } from '#server/money/books/suspense.ts';
import { refuseWhileWaiting } from '#server/money/provider-requests/answer-time.ts';
import { beginEvidence, type EvidenceRequest, sendEvidence } from '#server/money/disputes/evidence.ts';
import { type Operator, perform, record } from '../act.ts';
import { findLastActor, operatorRole } from '../store.ts';
import { recordOfAd, requireSubject } from '../decisions/suspend.ts';

/** Holds the earnings of a publisher, or of one ad. Throws 404, or 409 if they are held already. [BOOK-11] */
export async function holdByOperator(
  ctx: Context,
  operator: Operator,
  { of, id, reason }: { of: 'person' | 'ad'; id: number; reason: string },
): Promise<HeldEarnings> {
  return await perform(ctx, operator, async (tx) => {
    const { name } = await requireSubject(tx, of, id);
    const hold = await holdEarnings(ctx, tx, of === 'ad' ? { adId: id } : { userId: id });
    await record(ctx, tx, operator, {
      act: 'hold',
      subject: of,
      subjectId: id,
      subjectName: of === 'ad' ? name : '',
      affectedId: hold.userId,
      reason,
    });
    return hold;
  });
}

/**
 * Releases a hold of any reason. Throws 404, 409 if it has ended or its dispute is open, or 403 if another operator made it
 * and the caller is no owner. [BOOK-11, WARD-10]
 */
export async function releaseByOperator(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<HeldEarnings> {
  return await perform(ctx, operator, async (tx) => {
    const hold = await releaseEarnings(ctx, tx, id);
    const { adId, userId } = hold;
    await record(ctx, tx, operator, {
      act: 'release',
      ...(adId === null
        ? { subject: 'person', subjectId: userId }
        : { subject: 'ad', subjectId: adId, subjectName: await nameOfAd(tx, adId) }),
      affectedId: userId,
      reason,
    });
    if (hold.reason === 'operator') await requireMaker(tx, operator, hold);
    return hold;
  });
}

async function requireMaker(tx: Tx, { id: by }: Operator, { adId, userId }: HeldEarnings): Promise<void> {
  if (by === null || (await operatorRole(tx, by)) === 'owner') return;
  const about =
    adId === null
      ? ({ subject: 'person', subjectId: userId } as const)
      : ({ subject: 'ad', subjectId: adId } as const);
  if ((await findLastActor(tx, { act: 'hold', ...about })) !== by)
    throw forbidden('You didn’t make this hold. The operator who made it can release it, or an owner.');
}

/** Refunds money in suspense, or records what it is. Throws 404, or 409 if it was decided already. [BOOK-08] */
export async function decideSuspense(
  ctx: Context,
  operator: Operator,
  { ref, outcome, reason }: { ref: SuspenseRef; outcome: SuspenseOutcome; reason: string },
): Promise<SettledSuspense> {
  return await perform(ctx, operator, async (tx) => {
    const settled = await settleSuspense(ctx, tx, ref, outcome);
    const { adId, name } = settled;
    const ad = adId === null ? null : await requireSubject(tx, 'ad', adId);
    await record(ctx, tx, operator, {
      act: 'settle-suspense',
      // A movement at the provider concerns no account.
      ...(ad
        ? { subject: 'ad', subjectId: ad.id, subjectName: ad.name, affectedId: ad.ownerId }
        : { subject: 'job', subjectId: 0, subjectName: name, affectedId: null }),
      reason,
    });
    return settled;
  });
}

/**
 * Sends the evidence of a dispute to the bank. The act is committed before the provider is called; if the call fails, the
 * server sends the same again. Throws 404, 409 if the dispute takes no evidence or everything outgoing waits, or
 * ProviderError. [DISP-02]
 */
export async function sendEvidenceByOperator(
  ctx: Context,
  operator: Operator,
  { disputeId, reason }: { disputeId: string; reason: string },
): Promise<EvidenceRequest> {
  await refuseWhileWaiting(ctx);
  const work = await perform(ctx, operator, async (tx) => {
    const begun = await beginEvidence(ctx, tx, disputeId);
    await recordOfAd(ctx, tx, operator, { act: 'send-evidence', adId: begun.adId, reason });
    return begun;
  });
  if (!operator.dryRun) await sendEvidence(ctx, work);
  return work;
}

async function nameOfAd(tx: Tx, adId: number): Promise<string> {
  return (await requireSubject(tx, 'ad', adId)).name;
}

type TaxNoted = TaxPayment & { reason: string };

/** Books tax that was paid to a state. Throws 409 if less is owed. [OWNS-69] */
export const payTax = async (ctx: Context, operator: Operator, noted: TaxNoted) =>
  await noteTax(ctx, operator, noted, { act: 'pay-tax', book: bookTaxPaid });

/** Books input tax that a state has paid back. Throws 409 if it owes less. [BOOK-240] */
export const refundTax = async (ctx: Context, operator: Operator, noted: TaxNoted) =>
  await noteTax(ctx, operator, noted, { act: 'refund-tax', book: bookTaxRefunded });

async function noteTax(
  ctx: Context,
  operator: Operator,
  { reason, ...payment }: TaxNoted,
  { act, book }: { act: 'pay-tax' | 'refund-tax'; book: typeof bookTaxPaid },
): Promise<{ left: number; currency: string }> {
  return await perform(ctx, operator, async (tx) => {
    const { country, rate, paid, day } = payment;
    const left = await book(ctx, tx, payment);
    await record(ctx, tx, operator, {
      act,
      subject: 'tax',
      subjectId: 0,
      subjectName: `${country} ${percentOf(rate)}%`,
      affectedId: null,
      reason: `${decimalOf(paid)} ${ctx.config.currency}${day === null ? '' : ` on ${day}`}. ${reason}`,
    });
    return { left, currency: ctx.config.currency };
  });
}
