import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, type Runner, type TaskList } from 'graphile-worker';
import { removeAvatarFile } from '../accounts/avatar.ts';
import { extendForSilentDays } from '../ads/clock.ts';
import { completeDueAds } from '../ads/complete.ts';
import { expireUnpaidAds } from '../payments/expire-unpaid.ts';
import { reportUnusualHour } from '../analytics/unusual-hours.ts';
import type { Context } from '../context.ts';
import { ensureEventPartitions } from '../delivery/event-log/partitions.ts';
import { tellCompleted } from '../delivery/event-log/tell-completed.ts';
import { removeFiles } from '../media/close-account.ts';
import { sendMessage } from '../notifications/send-message.ts';
import { cancelIntent } from '../payments/close.ts';
import { applyProviderEvent } from '../payments/events.ts';
import { reconcilePayments } from '../payments/reconcile.ts';
import { sendRefund } from '../payments/refund.ts';
import type { Jobs } from '../db/job-queue.ts';
import { removeExpired } from './remove-expired.ts';
import { ABANDONED_AFTER_MS, unlockAbandoned } from './unlock-abandoned.ts';

/** What the queue hands out, with what each job is told. */
function queuedJobs(ctx: Context): { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<void> } {
  return {
    'send-message': async ({ messageId }) => await sendMessage(ctx, messageId),
    'apply-provider-event': async ({ eventId }) => await applyProviderEvent(ctx, eventId),
    'cancel-intent': async ({ intentId }) => await cancelIntent(ctx, intentId),
    'remove-files': async (upload) => await removeFiles(ctx, upload),
    'remove-avatar': async (picture) => await removeAvatarFile(ctx, picture),
    'forget-customer': async ({ customerId }) => await ctx.payments.forgetCustomer(customerId),
    'send-refund': async ({ refundId }) => await sendRefund(ctx, refundId),
    'tell-completed': async (payload) => await tellCompleted(ctx, payload),
  };
}

/** What runs every minute, on whichever copy of the server comes first. Each may run twice or late without harm. */
function minutelyJobs(ctx: Context): Record<string, () => Promise<unknown>> {
  return {
    'complete-due-ads': async () => await endDueDays(ctx),
    'expire-unpaid-ads': async () => await expireUnpaidAds(ctx),
    'reconcile-payments': async () => await reconcilePayments(ctx),
    'remove-expired': async () => await removeExpired(ctx),
    'unlock-abandoned': async () => await unlockAbandoned(ctx.db, ABANDONED_AFTER_MS),
    'ensure-event-partitions': async () => await ensureEventPartitions(ctx),
  };
}

/** What runs some minutes after each full hour, when the hour's figures are in. */
function hourlyJobs(ctx: Context): Record<string, () => Promise<unknown>> {
  return { 'report-unusual-hour': async () => await reportUnusualHour(ctx) };
}

/** At one instant, so that no ad is completed before its last day has been looked at. */
async function endDueDays(ctx: Context): Promise<void> {
  const now = ctx.now();
  await extendForSilentDays(ctx, now);
  await completeDueAds(ctx, now);
}

/** How long after the queue gave up it is begun anew. */
const RESTART_MS = 1000;

/**
 * Starts taking jobs; `stop()` waits for those that run. The queue gives up when the database is away for minutes just
 * as a job ends: it is then begun anew, as often as it takes.
 */
export async function startJobs(ctx: Context, databaseUrl: string): Promise<{ stop: () => Promise<void> }> {
  let runner = await begin(ctx, databaseUrl);
  const stopping = new AbortController();
  const kept = keepRunning();

  async function keepRunning(): Promise<void> {
    for (;;) {
      await runner.promise.catch(() => {});
      if (stopping.signal.aborted) return;
      ctx.log.error('the jobs stopped by themselves; they are begun again');
      for (let begun = false; !begun;) {
        await pause(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
        begun = await begin(ctx, databaseUrl).then(
          (next) => {
            runner = next;
            return true;
          },
          (error: unknown) => {
            ctx.log.error({ err: error }, 'the jobs could not be begun');
            return false;
          },
        );
      }
    }
  }

  return {
    stop: async () => {
      stopping.abort();
      // One that has given up is stopped already, and says so by failing.
      await runner.stop().catch(() => {});
      await kept;
    },
  };
}

async function begin(ctx: Context, databaseUrl: string): Promise<Runner> {
  const minutely = minutelyJobs(ctx);
  const hourly = hourlyJobs(ctx);
  // An embedded database serves this server only: whoever holds a job there is an earlier run of it.
  if (ctx.config.databaseUrl === undefined) await unlockAbandoned(ctx.db, 0);
  return await run({
    connectionString: databaseUrl,
    // A worker of graphile keeps one connection to listen, and takes another for each job it begins or ends.
    maxPoolSize: 5,
    concurrency: 4,
    pollInterval: 1000,
    noHandleSignals: true,
    // In batches, even of one: only those are tried again. A single end that fails is a rejection that nobody handles,
    // and the whole server would end with it (graphile-worker 0.18.0).
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: loggerOf(ctx),
    // The payloads are those that enqueue() wrote.
    taskList: { ...queuedJobs(ctx), ...minutely, ...hourly } as TaskList,
    // With a key, a sweep that could not run yet is not queued a second time.
    crontab: [
      ...Object.keys(minutely).map((name) => `* * * * * ${name} ?max=3&jobKey=${name}`),
      ...Object.keys(hourly).map((name) => `5 * * * * ${name} ?max=3&jobKey=${name}`),
    ].join('\n'),
  });
}

function loggerOf(ctx: Context): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') ctx.log.error(message);
    else if (level === 'warning') ctx.log.warn(message);
    else ctx.log.debug(message);
  });
}
