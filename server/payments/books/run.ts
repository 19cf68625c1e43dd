import { extendForSilentDays } from '../../ads/clock/clock.ts';
import { completeDueAds } from '../../ads/complete.ts';
import type { Context } from '../../context.ts';
import { checkPayments } from '../check-payments.ts';
import { answerDueDisputes } from '../evidence.ts';
import { expireUnpaidAds } from '../expire-unpaid.ts';
import { makeMonthlyDocuments } from '../documents/months.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { signDayRoot } from '../log/sign.ts';
import { endOverdueAds } from '../refunds/endings.ts';
import { runPayouts } from '../payouts/run.ts';
import { sendDueRefunds } from '../refunds/send.ts';
import { reconcile, type Reconciliation } from './reconcile.ts';

export type MoneyRun = Reconciliation & {
  payments: number;
  completed: number;
  ended: number;
  accrued: number;
  refunds: number;
  /** Disputes whose evidence was staged or sent. */
  answered: number;
  payouts: number;
  expired: number;
  documents: number;
};

/**
 * Does all due money work at once. The order matters, because steps make work for later ones: events and checks of the
 * provider, ads that end, their earnings, their refunds, payouts, the comparison with the provider, and the day's
 * signed root. The server's jobs do the same work, each step every minute and the comparison once a day. [BOOK-04]
 */
export async function runMoneyWork(ctx: Context): Promise<MoneyRun> {
  const payments = await checkPayments(ctx);
  const now = ctx.now();
  await extendForSilentDays(ctx, now);
  const completed = await completeDueAds(ctx, now);
  const ended = await endOverdueAds(ctx);
  const expired = await expireUnpaidAds(ctx);
  const accrued = await accrueDue(ctx, { early: true });
  const refunds = await sendDueRefunds(ctx);
  const answered = await answerDueDisputes(ctx);
  const payouts = await runPayouts(ctx);
  // Refunds and payouts may have made events.
  const later = await checkPayments(ctx);
  const reconciliation = await reconcile(ctx);
  await signDayRoot(ctx);
  const documents = await makeMonthlyDocuments(ctx);
  return {
    payments: payments + later,
    completed,
    ended,
    accrued,
    refunds,
    answered,
    payouts,
    expired,
    documents,
    ...reconciliation,
  };
}
