import { decimalOf } from '#domain/money.ts';
import { type Act, SUBJECT_WORDS, type Subject } from '#domain/operator/acts.ts';
import { endSessionsOf } from '#server/people/accounts/sessions.ts';
import { notifyOfSuspension, resumeAfterSuspension } from '#server/ads/clock/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { sumOf } from '#domain/payments/refunds.ts';
import { moneyOfAds } from '#server/money/ledger/accrue.ts';
import { endAdsOfPublisher } from '#server/money/refunds/endings.ts';
import { type Operator, perform, record } from '../act.ts';
import { mailRestored, mailSuspended, recordDecision } from './statement.ts';
import { operatorRole, lockOperators } from '../store.ts';
import { findSubject, type SubjectRow } from '../store-find.ts';
import { clearSuspension, listRunning, writeSuspension } from './store-suspend.ts';

export type Target = { subject: Subject; id: number; reason: string };

export async function requireSubject(tx: Tx, subject: Subject, id: number): Promise<SubjectRow> {
  const row = await findSubject(tx, subject, id);
  if (!row) throw notFound(`There is no ${SUBJECT_WORDS[subject]} with this number.`);
  return row;
}

/** Writes an act about an ad to the audit trail. Throws 404 if there is no such ad. */
export async function recordOfAd(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { act, adId, reason }: { act: Act; adId: number; reason: string },
): Promise<void> {
  const { name, ownerId } = await requireSubject(tx, 'ad', adId);
  await record(ctx, tx, operator, {
    act,
    subject: 'ad',
    subjectId: adId,
    subjectName: name,
    affectedId: ownerId,
    reason,
  });
}

/** The running campaigns that a suspension stops, their advertisers, and the sum that they get back ('86.40'). */
export type Cost = { campaigns: number; advertisers: number; refunds: string };

/**
 * What a suspension would cost now. It changes nothing. Only that of a publisher ends campaigns and refunds their
 * undelivered part; the others pause them.
 */
export async function costOfSuspension(ctx: Context, tx: Tx, subject: Subject, id: number): Promise<Cost> {
  const running = await listRunning(tx, subject, id);
  const ending = subject === 'person' ? running.map(({ adId }) => adId) : [];
  const money = await moneyOfAds(tx, ending, ctx.now());
  return {
    campaigns: running.length,
    advertisers: new Set(running.map(({ advertiserId }) => advertiserId)).size,
    refunds: decimalOf([...money.values()].reduce((sum, { notDelivered }) => sum + sumOf(notDelivered), 0)),
  };
}

/**
 * Suspends a person, a website, an ad zone or an ad, in this order:
 * 1. lock and find it, and reckon the cost
 * 2. write the suspension; triggers tell every instance of the ad server
 * 3. sign a person out, and end the campaigns in their ad zones with a refund (refunds/end.ts)
 * 4. notify both sides of the campaigns that are paused now
 * 5. record the decision, and mail it to the owner
 *
 * Nothing of it is sold or served from then on. A suspended person is signed out and can then only read, and the campaigns in their ad zones end: advertisers get
 * a refund of the undelivered part, and a restoration does not bring the campaigns back. Throws 404, or 409 if it is
 * suspended already. [REFU-04]
 */
export async function suspend(ctx: Context, operator: Operator, target: Target): Promise<SubjectRow & Cost> {
  const { subject, id, reason } = target;
  return await perform(ctx, operator, async (tx) => {
    // The lock keeps the person from becoming an operator after the check below.
    if (subject === 'person') await lockOperators(tx);
    const row = await requireSubject(tx, subject, id);
    if (subject === 'person' && (await operatorRole(tx, id)) !== null)
      throw conflict('This person is an operator. Remove their operator rights first.');
    const now = ctx.now();
    const cost = await costOfSuspension(ctx, tx, subject, id);
    if (!(await writeSuspension(tx, subject, id, { reason, at: now })))
      throw conflict(`This ${SUBJECT_WORDS[subject]} is suspended already.`);
    if (subject === 'person') {
      await endSessionsOf(tx, id);
      await endAdsOfPublisher(ctx, tx, id);
    }
    await notifyOfSuspension(ctx, tx, { of: subject, id }, now);
    const { name, ownerId } = row;
    const url = await recordDecision(ctx, tx, operator, { act: 'suspend', ...target, name, ownerId });
    await mailSuspended(ctx, tx, { subject, name, ownerId, reason, url });
    return { ...row, ...cost, suspendedAt: now, suspendedReason: reason };
  });
}

/** Ends a suspension and extends the per-day campaigns that it held. Throws 404, or 409 if there is none. */
export async function restore(ctx: Context, operator: Operator, target: Target): Promise<SubjectRow> {
  const { subject, id, reason } = target;
  return await perform(ctx, operator, async (tx) => {
    const row = await requireSubject(tx, subject, id);
    if (!(await restoreNow(ctx, tx, subject, id)))
      throw conflict(`This ${SUBJECT_WORDS[subject]} is not suspended.`);
    const { name, ownerId } = row;
    await record(ctx, tx, operator, {
      act: 'restore',
      subject,
      subjectId: id,
      subjectName: subject === 'person' ? '' : name,
      affectedId: ownerId,
      reason,
    });
    await mailRestored(ctx, tx, { subject, name, ownerId, reason });
    return { ...row, suspendedAt: null, suspendedReason: null };
  });
}

/** Returns whether there was a suspension to end. */
export async function restoreNow(ctx: Context, tx: Tx, subject: Subject, id: number): Promise<boolean> {
  const from = await clearSuspension(tx, subject, id);
  if (from === null) return false;
  await resumeAfterSuspension(ctx, tx, { of: subject, id }, { from, to: ctx.now() });
  return true;
}
