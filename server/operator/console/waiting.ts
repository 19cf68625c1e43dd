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

type Queue = {
  /** The page that shows it. */
  path: string;
  name: string;
  count: (ctx: Context) => Promise<number>;
  /** What selects the queue on its page. */
  query?: string;
};

/** The queues of an operator. Another one is one more line. */
const QUEUES: readonly Queue[] = [
  { path: '/operator/reports', name: 'Reported ads', count: openCaseCount },
  {
    path: '/operator/appeals',
    name: 'Answers to decisions',
    count: async ({ db }) => await countOpenAppeals(db),
  },
  { path: '/operator/new-websites', name: 'New websites', count: countWaitingWebsites },
  { path: '/operator/claims', name: 'Ownership claims', count: countClaims },
  {
    path: '/operator/withdrawals',
    name: 'Withdrawn traffic that you can overrule',
    count: countOpenWithdrawals,
  },
  { path: '/operator/books', name: 'Disputed payments', count: openDisputeCount },
  {
    path: '/operator/money',
    name: 'Cancels that wait',
    count: async (ctx) => (await waitingCancels(ctx)).length,
  },
  {
    path: '/operator/jobs',
    name: 'Jobs that failed',
    count: async ({ db }) => await countFailedJobs(db),
    query: '?failed=1',
  },
  {
    path: '/operator/faults',
    name: 'Reasons that refuse nearly all reports',
    count: async ({ db }) => (await countFaults(db)).reduce((sum, { n }) => sum + n, 0),
  },
  {
    path: '/operator/requests',
    name: 'Requests for a second operator',
    count: async (ctx) => await countOpenRequests(ctx.db, ctx.realNow()),
  },
];

/** How much waits on each page. */
export async function countWaiting(ctx: Context): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { path, count } of QUEUES) counts[path] = await count(ctx);
  return counts;
}

/** The queues with something in them. */
export async function openQueues(ctx: Context): Promise<{ name: string; path: string; count: number }[]> {
  const counts = await countWaiting(ctx);
  return QUEUES.map(({ path, name, query = '' }) => ({
    name,
    path: `${path}${query}`,
    count: counts[path] ?? 0,
  })).filter(({ count }) => count > 0);
}
