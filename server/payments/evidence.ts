/** Answers disputes with evidence. See docs/decisions/044-operator-books.md. */
import { randomUUID } from 'node:crypto';
import { EVIDENCE_LEAD_MS, takesEvidence } from '#domain/payments/disputes.ts';
import { type Evidence, evidenceOf } from '#domain/payments/evidence.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { decimalOf } from '#domain/money.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { ProviderError } from '../adapters/payment-provider.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { conflict, notFound } from '../http/errors.ts';
import { notify } from '../notifications/notify.ts';
import { listRefundsOf } from './refunds/store-payments.ts';
import {
  type DisputeToAnswer,
  findDisputedSale,
  listDeliveryDays,
  listDueEvidence,
  lockDisputeToAnswer,
  writeEvidence,
} from './store-evidence.ts';

const BATCH = 50;
/** An answer that failed is tried again after this time. */
const RETRY_MS = HOUR_MS / 4;

/**
 * Stages the evidence of new disputes at the provider, and sends it to the bank one day before it is due. A dispute whose
 * call fails is logged and tried again. Returns how many were staged or sent. [DISP-03]
 */
export async function answerDueDisputes(ctx: Context): Promise<number> {
  const now = ctx.now();
  let done = 0;
  for (const disputeId of await listDueEvidence(ctx.db, ctx.payments.book, now, BATCH)) {
    try {
      if (await answerIfDue(ctx, disputeId, now)) done++;
    } catch (error) {
      ctx.log.error({ err: error, disputeId }, 'the evidence of a dispute could not be sent; trying again');
    }
  }
  return done;
}

async function answerIfDue(ctx: Context, disputeId: string, now: Date): Promise<boolean> {
  const isNear = ({ dueAt }: DisputeToAnswer) => dueAt !== null && later(dueAt, -EVIDENCE_LEAD_MS) <= now;
  const work = await ctx.db.transaction().execute(async (tx) => {
    const dispute = await lockDisputeToAnswer(tx, disputeId);
    // Another instance may have answered it meanwhile.
    if (!dispute?.evidenceNextAt || dispute.evidenceNextAt > now) return null;
    if (!takesEvidence(dispute.status)) {
      // The answer to our request was lost, but the dispute has moved on.
      const isSent = dispute.evidenceState === 'sending';
      const sent = { evidenceState: 'sent', evidenceAt: now, evidenceError: null } as const;
      await writeEvidence(tx, dispute.id, { evidenceNextAt: null, ...(isSent && sent) });
      if (isSent) await notify(ctx, tx, { kind: 'dispute-answered', adId: dispute.adId });
      return null;
    }
    const submit = isNear(dispute) || dispute.evidenceState === 'sending';
    return await commitEvidence(ctx, tx, dispute, submit);
  });
  if (!work) return false;
  await tellProvider(ctx, work);
  return true;
}

/** The evidence of a dispute as it would be sent now. Throws 404. */
export async function showEvidence(ctx: Context, disputeId: string): Promise<Evidence> {
  const dispute = await ctx.db.transaction().execute((tx) => lockDisputeToAnswer(tx, disputeId));
  if (!dispute) throw unknownDispute();
  const { evidence, evidenceState } = dispute;
  return evidence && evidenceState !== 'staged' && evidenceState !== 'none'
    ? evidence
    : await gather(ctx.db, dispute.id);
}

/**
 * Prepares the evidence of a dispute for the bank, in the caller's transaction. Call `tellProvider` after its commit.
 * Throws 404, or 409 if the dispute takes no evidence or has it. [DISP-02]
 */
export async function beginEvidence(ctx: Context, tx: Tx, disputeId: string): Promise<Work> {
  const dispute = await lockDisputeToAnswer(tx, disputeId);
  if (!dispute) throw unknownDispute();
  if (dispute.evidenceState === 'sent') throw conflict('The bank has the evidence of this dispute already.');
  if (!takesEvidence(dispute.status))
    throw conflict(
      'The bank takes no evidence for this dispute now. Look at it in the card provider’s dashboard.',
    );
  if (dispute.book !== ctx.payments.book)
    throw conflict(
      'This dispute is at another card provider than the present one. Answer it in that provider’s dashboard.',
    );
  return await commitEvidence(ctx, tx, dispute, true);
}

const unknownDispute = () =>
  notFound('There is no dispute with this id. `openslot money books` shows the ids.');

export type Work = {
  id: number;
  disputeId: string;
  adId: number;
  dueAt: Date | null;
  evidence: Evidence;
  key: string;
  submit: boolean;
};

/** After an unknown outcome the same evidence is sent again under the same key. */
async function commitEvidence(
  ctx: Context,
  tx: Tx,
  dispute: DisputeToAnswer,
  submit: boolean,
): Promise<Work> {
  const { id, disputeId, adId, dueAt } = dispute;
  const isRepeated = submit && dispute.evidenceState === 'sending' && dispute.evidence && dispute.evidenceKey;
  const evidence = isRepeated ? (dispute.evidence as Evidence) : await gather(tx, id);
  const key = isRepeated ? (dispute.evidenceKey as string) : randomUUID();
  await writeEvidence(tx, id, {
    evidence,
    evidenceKey: key,
    ...(submit && { evidenceState: 'sending' }),
    evidenceNextAt: later(ctx.now(), RETRY_MS),
  });
  return { id, disputeId, adId, dueAt, evidence, key, submit };
}

/** Calls the provider and records its answer. Throws ProviderError; the evidence is then sent again later. */
export async function tellProvider(ctx: Context, work: Work): Promise<void> {
  const { id, disputeId, adId, dueAt, evidence, key, submit } = work;
  try {
    await (submit
      ? ctx.payments.submitEvidence(disputeId, evidence, `dpe:${key}`)
      : ctx.payments.stageEvidence(disputeId, evidence, `dpe:${key}`));
  } catch (error) {
    const evidenceError =
      error instanceof ProviderError ? error.message : 'The provider could not be reached';
    await writeEvidence(ctx.db, id, { evidenceError, evidenceNextAt: later(ctx.now(), RETRY_MS) });
    throw error;
  }
  await ctx.db.transaction().execute(async (tx) => {
    const dispute = await lockDisputeToAnswer(tx, disputeId);
    if (dispute?.evidenceKey !== key || dispute.evidenceState === 'sent') return;
    await writeEvidence(tx, id, {
      evidenceState: submit ? 'sent' : 'staged',
      evidenceAt: ctx.now(),
      evidenceError: null,
      evidenceNextAt: submit || !dueAt ? null : later(dueAt, -EVIDENCE_LEAD_MS),
    });
    if (submit) await notify(ctx, tx, { kind: 'dispute-answered', adId });
  });
}

async function gather(tx: Tx, id: number): Promise<Evidence> {
  const sale = await findDisputedSale(tx, id);
  const iso = (instant: Date | null) => instant?.toISOString() ?? null;
  const refunds = await listRefundsOf(tx, [sale.paymentId]);
  return evidenceOf({
    adPublicId: sale.publicId,
    title: sale.title,
    targetUrl: sale.targetUrl,
    websiteName: sale.websiteName,
    websiteUrl: sale.websiteUrl,
    zoneName: sale.zoneName,
    bought: amountText(planOf(sale)),
    price: `${decimalOf(Number(sale.amountCents))} ${sale.currency}`,
    customerName: [sale.firstName, sale.lastName].filter(Boolean).join(' '),
    customerEmail: sale.email,
    submittedAt: sale.createdAt.toISOString(),
    version: sale.version,
    approvedAt: iso(sale.approvedAt),
    paidAt: (sale.paidAt ?? sale.createdAt).toISOString(),
    chargeId: sale.chargeId ?? '',
    startedAt: iso(sale.startDate),
    endedAt: sale.status === 'completed' ? iso(sale.endDate) : null,
    endedReason: sale.endedReason,
    days: await listDeliveryDays(tx, sale.adId),
    refunds: refunds.map(
      ({ amountCents, cause, updatedAt }) =>
        `${decimalOf(amountCents)} ${sale.currency} on ${updatedAt.toISOString().slice(0, 10)} (${cause.replaceAll('_', ' ')})`,
    ),
  });
}
