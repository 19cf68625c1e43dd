import { countFaults } from '#server/delivery/faults/open-faults.ts';
import { countOpenWithdrawals } from '#server/delivery/invalid-traffic/overrule.ts';
import { countWaitingWebsites } from '#server/market/inventory/admission/admission.ts';
import { countClaims } from '#server/market/inventory/ownership/decide-ownership.ts';
import { openCaseCount } from '#server/market/transparency/moderate.ts';
import { openDisputeCount } from '#server/money/books/books.ts';
import { waitingCancels } from '#server/money/refunds/cancelling/overdue.ts';
import type { Context } from '#server/platform/context.ts';
import { countOpenRequests } from '../requests/requests.ts';
import { countOpenAppeals } from '../store.ts';
import { countFailedJobs } from '../store-jobs.ts';

/** The queues of an operator, each at the page that shows it. Another queue is one more line. */
const QUEUES: Readonly<Record<string, (ctx: Context) => Promise<number>>> = {
  '/operator/reports': openCaseCount,
  '/operator/appeals': async ({ db }) => await countOpenAppeals(db),
  '/operator/new-websites': countWaitingWebsites,
  '/operator/claims': countClaims,
  '/operator/withdrawals': countOpenWithdrawals,
  '/operator/books': openDisputeCount,
  '/operator/money': async (ctx) => (await waitingCancels(ctx)).length,
  '/operator/jobs': async ({ db }) => await countFailedJobs(db),
  '/operator/faults': async ({ db }) => (await countFaults(db)).reduce((sum, { n }) => sum + n, 0),
  '/operator/requests': async (ctx) => await countOpenRequests(ctx.db, ctx.realNow()),
};

/** How much waits on each page. */
export async function countWaiting(ctx: Context): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [path, count] of Object.entries(QUEUES)) counts[path] = await count(ctx);
  return counts;
}
