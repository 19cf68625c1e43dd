import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import type { Context } from '#server/platform/context.ts';
import { chargeDueConsents } from '../consents/charge.ts';
import { checkPayments } from '../events/check-payments.ts';
import { answerDueDisputes } from '../disputes/evidence.ts';
import { expireUnpaidAds } from '../checkout/expire-unpaid.ts';
import { makeMonthlyDocuments } from '../documents/months.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { signDayRoot } from '../transparency-log/sign.ts';
import { endOverdueAds } from '../refunds/endings.ts';
import { runPayouts } from '../payouts/run.ts';
import { sendDueRefunds } from '../refunds/send.ts';
import { refuseWhileWaiting } from '../provider-requests/answer-time.ts';
import { askAgain } from '../tax-ids/ask-again.ts';
import { measureUncovered } from './books.ts';
import { reconcile, type Reconciliation } from './reconcile.ts';

export type MoneyStep = {
  /** The name of the job that does this every minute. */
  job: string;
  due: (ctx: Context) => Promise<unknown>;
  /** Calls the card provider, so that it waits while everything outgoing does. [OPS-54] */
  goesOut?: true;
};
type CountedStep = MoneyStep & {
  /** The name of the count in the result of `openslot money run`. */
  counts: string;
  due: (ctx: Context) => Promise<number>;
  /** The work that `openslot money run` does instead, if it does more than is due. */
  now?: (ctx: Context) => Promise<number>;
};

/**
 * The due work about money, apart from the comparison with the provider. Its order matters for `openslot money run`,
 * because steps make work for later ones: events and checks of the provider, ads that end, their earnings, their refunds,
 * payouts. The server's jobs do each step every minute, in any order.
 */
export const MONEY_WORK = [
  { job: 'check-payments', counts: 'payments', due: checkPayments, goesOut: true },
  { job: 'charge-consented-ads', counts: 'charged', due: chargeDueConsents, goesOut: true },
  { job: 'complete-due-ads', counts: 'completed', due: extendAndComplete },
  { job: 'end-overdue-ads', counts: 'ended', due: endOverdueAds },
  { job: 'expire-unpaid-ads', counts: 'expired', due: expireUnpaidAds, goesOut: true },
  {
    job: 'accrue-earnings',
    counts: 'accrued',
    due: (ctx) => accrueDue(ctx),
    now: (ctx) => accrueDue(ctx, { early: true }),
  },
  { job: 'send-due-refunds', counts: 'refunds', due: sendDueRefunds, goesOut: true },
  { job: 'answer-disputes', counts: 'answered', due: answerDueDisputes, goesOut: true },
  { job: 'ask-vies', counts: 'taxIds', due: askAgain, goesOut: true },
  { job: 'run-payouts', counts: 'payouts', due: runPayouts, goesOut: true },
  { job: 'sign-day-root', due: signDayRoot },
  { job: 'make-documents', counts: 'documents', due: makeMonthlyDocuments },
] as const satisfies readonly (MoneyStep | CountedStep)[];

type Count = Extract<(typeof MONEY_WORK)[number], { counts: string }>['counts'];

export type MoneyRun = Reconciliation & { [Name in Count]?: number };

/**
 * Does all due money work at once, and compares the books with the provider. Throws 409 while everything outgoing is on
 * hold.
 */
export async function runMoneyWork(ctx: Context): Promise<MoneyRun> {
  await refuseWhileWaiting(ctx);
  const counts: { [Name in Count]?: number } = {};
  for (const step of MONEY_WORK) {
    if ('counts' in step) counts[step.counts] = await ('now' in step ? step.now : step.due)(ctx);
    else await step.due(ctx);
  }
  // Refunds and payouts may have made events.
  counts.payments = (counts.payments ?? 0) + (await checkPayments(ctx));
  const reconciliation = await reconcile(ctx);
  await measureUncovered(ctx);
  return { ...counts, ...reconciliation };
}

/**
 * Both steps use the same instant, so that no ad completes before a silent last day has extended it. [DEL-45] After an
 * outage, earnings are posted first, because a clock that has moved on does not know when the days before were silent.
 */
async function extendAndComplete(ctx: Context): Promise<number> {
  const now = ctx.now();
  await accrueDue(ctx);
  await extendForSilentDays(ctx, now);
  return await completeDueAds(ctx, now);
}
