import { timingSafeEqual } from 'node:crypto';
import { actWords, APPEAL_DAYS, APPEALABLE, type Subject, SUBJECTS } from '#domain/operator/acts.ts';
import type { AppealState } from '#domain/operator/contract.ts';
import type { Outcome } from '#domain/operator/forms.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { isolated } from '#server/notify/layout.ts';
import { admitWebsite } from '#server/market/inventory/admission/admission.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { type Operator, perform, record } from '../act.ts';
import { giveSite } from './queues.ts';
import { type DecisionAct, mailOutcome } from './statement.ts';
import { type ActRow, closeAppeal, findAct, findActById, insertAppeal, listOpenAppeals } from '../store.ts';
import { findSubject } from '../store-find.ts';
import { restoreNow } from './suspend.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

const PAGE_SIZE = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where the answer to a decision stands at `now`. */
export function appealState(act: ActRow, now: Date): AppealState {
  if (act.outcome !== null) return act.outcome;
  if (act.appealBody !== null) return 'waiting';
  const isOpen = now.getTime() - act.actedAt.getTime() < APPEAL_DAYS * DAY_MS;
  return APPEALABLE.includes(act.act) && isOpen ? 'possible' : 'closed';
}

/**
 * A decision with a statement of reasons, for its affected person: signed in, or with the key of the mailed link.
 * Throws 404 for all other readers. [OPER-10]
 */
export async function readDecision(
  ctx: Context,
  publicId: string,
  reader: { userId: number | null; key: string },
): Promise<ActRow> {
  const act = UUID.test(publicId) ? await findAct(ctx.db, publicId) : undefined;
  const hasKey = act?.keyHash && timingSafeEqual(act.keyHash, hashToken(reader.key));
  if (!act || !(hasKey || (reader.userId !== null && act.affectedId === reader.userId)))
    throw notFound(
      'This decision doesn’t exist, or the link is incomplete. Sign in to find it under Settings.',
    );
  return act;
}

/** Stores the affected person's answer. Throws 409 if there is one already, or the time is over. [OPER-10] */
export async function appeal(ctx: Context, act: ActRow, body: string): Promise<void> {
  const now = ctx.now();
  const state = appealState(act, now);
  if (state === 'closed') throw conflict('This decision can’t be answered any more.');
  await ctx.db.transaction().execute(async (tx) => {
    if (state !== 'possible' || !(await insertAppeal(tx, { actId: act.id, body, createdAt: now })))
      throw conflict('You’ve already answered this decision. You can answer it once.');
    await mailOperator(ctx, tx, {
      kind: 'decision-answered',
      title: 'A decision was answered',
      paragraphs: [
        `${isolated(actWords(act))}: the affected person has answered.`,
        'Read the answer and decide again.',
      ],
      action: { label: 'Open the answer', path: `/operator/appeals/${act.id}` },
    });
  });
}

/** The answers that wait for the operator, oldest decision first. [OPER-10] */
export async function openAppeals(
  ctx: Context,
  { cursor, limit = PAGE_SIZE }: { cursor?: string | undefined; limit?: number },
): Promise<Page<ActRow>> {
  const after = decodeCursor(cursor);
  return pageOf(await listOpenAppeals(ctx.db, { after, limit: limit + 1 }), limit);
}

/**
 * Decides about an answer, once. A reversed suspension ends in the same transaction, and a reversed refusal gives the
 * site to the account that answered, which needs a valid proof (409 without one). An ad that was taken down has ended
 * for good, so reversing its decision changes nothing else. Throws 404, or 409 if the answer was decided before.
 * [OPER-10]
 */
export async function decideAppeal(
  ctx: Context,
  operator: Operator,
  { id: actId, outcome, reason }: { id: number; outcome: Outcome; reason: string },
): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const act = await findActById(tx, actId);
    if (!act || act.appealBody === null) throw notFound('There is no answer to a decision with this number.');
    if (!(await closeAppeal(tx, actId, { outcome, answer: reason, decidedAt: ctx.now() })))
      throw conflict('This answer was decided already.');
    const subject = act.subject as Subject;
    if (outcome === 'reversed' && act.act === 'suspend') await restoreNow(ctx, tx, subject, act.subjectId);
    if (outcome === 'reversed' && act.act === 'refuse-claim')
      await giveSite(ctx, tx, operator, { id: act.subjectId, reason });
    if (outcome === 'reversed' && act.act === 'hide-website') await admitWebsite(tx, act.subjectId);
    await record(ctx, tx, operator, {
      act: outcome === 'upheld' ? 'uphold' : 'reverse',
      subject,
      subjectId: act.subjectId,
      subjectName: act.subjectName,
      affectedId: act.affectedId,
      reason,
    });
    const row = SUBJECTS.includes(subject) ? await findSubject(tx, subject, act.subjectId) : undefined;
    if (!row) return;
    const { name, ownerId } = row;
    await mailOutcome(ctx, tx, {
      act: act.act as DecisionAct,
      subject,
      id: act.subjectId,
      name,
      ownerId,
      reason: act.reason,
      outcome,
      answer: reason,
    });
  });
}
