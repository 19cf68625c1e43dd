/** Answers disputes with evidence. See docs/decisions/044-operator-books.md. */
import { randomUUID } from 'node:crypto';
import { EVIDENCE_LEAD_MS, takesEvidence } from '#domain/payments/disputes.ts';
import { type Evidence, evidenceOf } from '#domain/payments/evidence.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { decimalOf } from '#domain/money.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import {
  askProvider,
  claim,
  type RequestKind,
  type RequestRow,
  sweep,
  type TakeDue,
} from '../provider-requests/request.ts';
import { listRefundsOf } from '../refunds/of-payments.ts';
import {
  type DisputeToAnswer,
  findDisputedSale,
  listDeliveryDays,
  lockDisputeToAnswer,
  takeDueEvidence,
  writeEvidence,
} from './store-evidence.ts';

/** An answer that failed is tried again after this time. */
const RETRY_MS = HOUR_MS / 4;

/** A dispute with the evidence for it. `submit`: the evidence goes to the bank. Otherwise only the provider keeps it. */
export type EvidenceRequest = DisputeToAnswer & RequestRow & { submit: boolean };

const requestOf = (dispute: DisputeToAnswer, submit: boolean): EvidenceRequest => ({
  ...dispute,
  key: dispute.evidenceKey,
  state: dispute.evidenceState,
  providerId: null,
  attempts: 0,
  submit,
});

const EVIDENCE: RequestKind<EvidenceRequest, true> = {
  name: 'evidence',
  async lock(tx, id) {
    const dispute = await lockDisputeToAnswer(tx, { id });
    return dispute && requestOf(dispute, false);
  },
  /** After an unknown outcome the same evidence is sent again under the same key. */
  async prepare(ctx, tx, row) {
    const { id, dueAt } = row;
    const isNear = dueAt !== null && later(dueAt, -EVIDENCE_LEAD_MS) <= ctx.now();
    const submit = row.submit || isNear || row.state === 'sending';
    if (row.state === 'sending' && row.evidence && row.key !== null) return { ...row, submit };
    const evidence = await gather(tx, id);
    const key = randomUUID();
    const state = submit ? 'sending' : row.evidenceState;
    await writeEvidence(tx, id, { evidence, evidenceKey: key, evidenceState: state });
    return { ...row, submit, evidence, key, state };
  },
  update: async (tx, { id }, { lookAt, error }) =>
    await writeEvidence(tx, id, { evidenceNextAt: lookAt, evidenceError: error }),
  async send(ctx, { disputeId, evidence, key, submit }) {
    const args = [disputeId, evidence as Evidence, `dpe:${key}`] as const;
    await (submit ? ctx.payments.submitEvidence(...args) : ctx.payments.stageEvidence(...args));
    return true;
  },
  async apply(ctx, tx, { id, key, adId, dueAt, submit }) {
    const dispute = await lockDisputeToAnswer(tx, { id });
    if (dispute?.evidenceKey !== key || dispute.evidenceState === 'sent') return;
    await writeEvidence(tx, id, {
      evidenceState: submit ? 'sent' : 'staged',
      evidenceAt: ctx.now(),
      evidenceError: null,
      evidenceNextAt: submit || !dueAt ? null : later(dueAt, -EVIDENCE_LEAD_MS),
    });
    if (submit) await notify(ctx, tx, { kind: 'dispute-answered', adId });
  },
  retryAt: (_attempts, now) => later(now, RETRY_MS),
  reasonOf: ({ message }) => message,
};

/**
 * Stages the evidence of new disputes at the provider, and sends it to the bank one day before it is due. A dispute whose
 * call fails is tried again. Returns how many were staged or sent. [DISP-02]
 */
export async function answerDueDisputes(ctx: Context): Promise<number> {
  const take: TakeDue<number> = (tx, ...window) => takeDueEvidence(tx, ctx.payments.book, ...window);
  return await sweep(ctx, 'evidence', take, (id) => answerIfDue(ctx, id));
}

async function answerIfDue(ctx: Context, id: number): Promise<boolean> {
  const request = await ctx.db.transaction().execute(async (tx) => {
    const dispute = await EVIDENCE.lock(tx, id);
    // An operator may have answered it meanwhile.
    if (!dispute?.evidenceNextAt) return null;
    if (takesEvidence(dispute.status)) return await claim(ctx, tx, EVIDENCE, dispute);
    // The answer to our request was lost, but the dispute has moved on.
    const isSent = dispute.evidenceState === 'sending';
    const sent = { evidenceState: 'sent', evidenceAt: ctx.now(), evidenceError: null } as const;
    await writeEvidence(tx, id, { evidenceNextAt: null, ...(isSent && sent) });
    if (isSent) await notify(ctx, tx, { kind: 'dispute-answered', adId: dispute.adId });
    return null;
  });
  return request !== null && (await askProvider(ctx, EVIDENCE, request)) === null;
}

/** The evidence of a dispute as it would be sent now. Throws 404. */
export async function showEvidence(ctx: Context, disputeId: string): Promise<Evidence> {
  const dispute = await ctx.db.transaction().execute((tx) => lockDisputeToAnswer(tx, { disputeId }));
  if (!dispute) throw unknownDispute();
  const { evidence, evidenceState } = dispute;
  return evidence && evidenceState !== 'staged' && evidenceState !== 'none'
    ? evidence
    : await gather(ctx.db, dispute.id);
}

/**
 * Prepares the evidence of a dispute for the bank, in the caller's transaction. Call `sendEvidence` after its commit.
 * Throws 404, or 409 if the dispute takes no evidence or has it. [DISP-02]
 */
export async function beginEvidence(ctx: Context, tx: Tx, disputeId: string): Promise<EvidenceRequest> {
  const dispute = await lockDisputeToAnswer(tx, { disputeId });
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
  return (await claim(ctx, tx, EVIDENCE, requestOf(dispute, true))) as EvidenceRequest;
}

const unknownDispute = () =>
  notFound('There is no dispute with this id. `openslot money books` shows the ids.');

/** Sends prepared evidence to the bank. Throws ProviderError; the evidence is then sent again later. */
export async function sendEvidence(ctx: Context, request: EvidenceRequest): Promise<void> {
  const error = await askProvider(ctx, EVIDENCE, request);
  if (error !== null) throw error;
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
    price: `${decimalOf(sale.amountCents)} ${sale.currency}`,
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
