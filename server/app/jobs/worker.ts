import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import { settleSandbox } from '#server/money/sandbox/sandbox.ts';
import { removeAvatarFile } from '#server/people/accounts/avatar.ts';
import { offerDueDays } from '#server/ads/booking/waiting-list.ts';
import { checkDueTargets, checkTarget } from '#server/ads/submit/target-checks.ts';
import { rejectUnanswered, remindPublishers } from '#server/ads/submit/unanswered.ts';
import { rejectUnansweredVariants } from '#server/ads/variants/decide.ts';
import { checkDueVariants } from '#server/ads/variants/targets.ts';
import { tellPositions } from '#server/results/analytics/position/tell.ts';
import { reportUnusualHour } from '#server/results/analytics/unusual-hours.ts';
import { tellCompleted } from '#server/ads/life/complete.ts';
import { resumeDue } from '#server/ads/life/pause.ts';
import { tellEnded } from '#server/results/campaign-mails/ended.ts';
import { mailPublisherWeek } from '#server/results/campaign-mails/publisher-week.ts';
import { mailWeek } from '#server/results/campaign-mails/week.ts';
import type { Context } from '#server/platform/context.ts';
import { tellOperators, tellWithdrawn } from '#server/delivery/invalid-traffic/tell.ts';
import { withdrawInvalidTraffic } from '#server/delivery/invalid-traffic/withdraw.ts';
import { foldHours } from '#server/delivery/event-log/partitions/fold-hours.ts';
import { packEvents } from '#server/delivery/event-log/partitions/pack-events.ts';
import { ensureEventPartitions } from '#server/delivery/event-log/partitions/partitions.ts';
import { settleMeasuredClicks } from '#server/delivery/event-log/landings.ts';
import { findFaults } from '#server/delivery/faults/find-faults.ts';
import { FIND_SILENT_SITES, findSilentSites } from '#server/delivery/faults/silent-sites.ts';
import { measureZones } from '#server/delivery/forecast/measure-zones.ts';
import { checkDueWebsites } from '#server/market/inventory/ownership/check-website.ts';
import { removeSitePictureFile } from '#server/market/inventory/websites/site-picture.ts';
import { removeFiles } from '#server/platform/media/close-account.ts';
import { mustWait, untilWaiting } from '#server/platform/outbound/wait.ts';
import { OUTGOING } from '#server/platform/outbound/outgoing.ts';
import { mailAnnouncement } from '#server/operator/announcements/announce.ts';
import { carryOutOverdueCancels } from '#server/operator/money/overdue-cancels.ts';
import { sendMessage } from '#server/notify/send-message.ts';
import { tellAlarms } from '#server/money/books/alarms.ts';
import { reconcileDaily } from '#server/money/books/reconcile.ts';
import { MONEY_WORK, type MoneyStep } from '#server/money/books/run.ts';
import { mailMonths } from '#server/money/documents/tell-months.ts';
import { chargeConsented } from '#server/money/consents/charge.ts';
import { forgetCard } from '#server/money/consents/withdraw.ts';
import { sendPayout } from '#server/money/payouts/send.ts';
import { cancelIntent } from '#server/money/checkout/close.ts';
import { applyProviderEvent } from '#server/money/events/events.ts';
import { closePayee } from '#server/money/payees/close.ts';
import { remindOfCancels } from '#server/money/refunds/cancelling/overdue.ts';
import { sendRefund } from '#server/money/refunds/send.ts';
import { readUpdateFeed } from '#server/operations/updates/update-feed.ts';
import { createPool, shareConnections } from '#server/platform/database/database.ts';
import type { Jobs, QueuedBy } from '#server/platform/database/job-queue.ts';
import { withRequestId } from '#server/platform/log/request-id.ts';
import { onceAnHour } from './once-an-hour.ts';
import { removeExpired } from './remove-expired.ts';
import { announceWorkers, unlockAbandoned } from './unlock-abandoned.ts';

/** The jobs that other code adds to the queue, with their payloads. OUTGOING says which of them leave the installation. */
function queuedJobs(ctx: Context): { [Name in keyof Jobs]: (payload: Jobs[Name]) => Promise<void> } {
  return {
    'send-message': async ({ messageId }) => await sendMessage(ctx, messageId),
    'apply-provider-event': async ({ eventId }) => await applyProviderEvent(ctx, eventId),
    'cancel-intent': async ({ intentId }) => await cancelIntent(ctx, intentId),
    'check-target': async ({ adId }) => await checkTarget(ctx, adId),
    'remove-files': async (upload) => await removeFiles(ctx, upload),
    'remove-avatar': async (picture) => await removeAvatarFile(ctx, picture),
    'remove-site-picture': async (picture) => await removeSitePictureFile(ctx, picture),
    'charge-consented': async ({ adId }) => await chargeConsented(ctx, adId),
    'forget-card': async (card) => await forgetCard(ctx, card),
    'forget-customer': async ({ customerId }) => await ctx.payments.forgetCustomer(customerId),
    'close-payee': async (payee) => await closePayee(ctx, payee),
    'settle-sandbox-object': async ({ objectId }) => await settleSandbox(ctx, objectId),
    'send-payout': async ({ payoutId }) => await sendPayout(ctx, payoutId),
    'send-refund': async ({ refundId }) => await sendRefund(ctx, refundId),
    'tell-completed': async (payload) => await tellCompleted(ctx, payload),
    'tell-ended': async (payload) => await tellEnded(ctx, payload),
    'mail-announcement': async ({ announcementId }) => await mailAnnouncement(ctx, announcementId),
  };
}

/** The work about money that is done every minute, on any instance. `openslot jobs run` does it by `runMoneyWork`. */
function moneyJobs(ctx: Context, held: boolean): Record<string, () => Promise<unknown>> {
  const steps: readonly MoneyStep[] = MONEY_WORK;
  const jobs = [...steps, { job: 'compare-with-provider', due: reconcileDaily, goesOut: true }];
  return Object.fromEntries(
    jobs.filter(({ goesOut }) => !(held && goesOut)).map(({ job, due }) => [job, async () => await due(ctx)]),
  );
}

/** The other jobs that run every minute, on any instance. Each of them may run twice or late without harm. */
function minutelyJobs(ctx: Context): Record<string, () => Promise<unknown>> {
  return {
    'reject-unanswered': async () => {
      await rejectUnanswered(ctx);
      await rejectUnansweredVariants(ctx);
    },
    'resume-campaigns': async () => await resumeDue(ctx),
    'remind-publishers': async () => await remindPublishers(ctx),
    'remove-expired': async () => await removeExpired(ctx),
    'unlock-abandoned': async () => await unlockAbandoned(ctx.db),
    'ensure-event-partitions': async () => await ensureEventPartitions(ctx),
    'fold-hours': async () => await foldHours(ctx),
    'offer-days': async () => await offerDueDays(ctx),
    'measure-zones': async () => await measureZones(ctx),
    'settle-measured-clicks': async () => await settleMeasuredClicks(ctx),
    'check-websites': async () => await checkDueWebsites(ctx),
    'check-targets': async () => {
      const hasListChanged = ctx.phishingHosts.takeChange();
      await checkDueTargets(ctx, hasListChanged);
      await checkDueVariants(ctx, hasListChanged);
    },
    'decide-cancels': async () => {
      await remindOfCancels(ctx);
      await carryOutOverdueCancels(ctx);
    },
    'find-faults': async () => await findFaults(ctx),
    'tell-alarms': async () => await tellAlarms(ctx),
    'mail-campaign-week': async () => await mailWeek(ctx),
    'mail-publisher-week': async () => await mailPublisherWeek(ctx),
    'mail-month-documents': async () => await mailMonths(ctx),
    'read-update-feed': async () => await readUpdateFeed(ctx),
  };
}

/**
 * The jobs that run once for each full hour, five minutes after it, when its counts are complete. The marketplace's
 * clock may jump, so each job checks every minute whether its hour has come.
 */
function hourlyJobs(ctx: Context): Record<string, () => Promise<unknown>> {
  return {
    'tell-placements': async () => await onceAnHour(ctx, 'tell-placements', tellPositions),
    [FIND_SILENT_SITES]: async () => await onceAnHour(ctx, FIND_SILENT_SITES, findSilentSites),
    'report-unusual-hour': async () => await onceAnHour(ctx, 'report-unusual-hour', reportUnusualHour),
    // A day that waits for its reader is looked through again each time.
    'pack-events': async () => await onceAnHour(ctx, 'pack-events', packEvents),
    'withdraw-invalid-traffic': async () =>
      await onceAnHour(ctx, 'withdraw-invalid-traffic', withdrawAndTell),
  };
}

async function withdrawAndTell(ctx: Context): Promise<void> {
  await withdrawInvalidTraffic(ctx);
  await tellOperators(ctx);
  await tellWithdrawn(ctx);
}

/**
 * All jobs by name: those in the queue, and those that the clock starts. While everything outgoing waits (`held`), the
 * outgoing jobs are left out. The queue then does not touch them, so they use up no try and their delays do not grow.
 */
export function jobsOf(ctx: Context, { held }: { held: boolean }) {
  const queued = Object.entries(asCausedByRequests(queuedJobs(ctx)));
  const present: TaskList = Object.fromEntries(
    queued.filter(([name]) => !(held && OUTGOING[name as keyof Jobs])),
  );
  return {
    queued: present,
    money: moneyJobs(ctx, held),
    timed: { ...minutelyJobs(ctx), ...hourlyJobs(ctx) },
  };
}

/** Runs each job as caused by the request that queued it. What the job logs and queues has the same id. */
function asCausedByRequests(jobs: ReturnType<typeof queuedJobs>): TaskList {
  return Object.fromEntries(
    Object.entries(jobs).map(([name, work]) => [
      name,
      async (payload: unknown) =>
        // The casts are safe, because only `enqueue` writes payloads.
        await withRequestId((payload as QueuedBy | null)?.requestId, () => work(payload as never)),
    ]),
  );
}

/** The pause before the queue is started again. */
const RESTART_MS = 1000;
/** How long the end of the queue waits for its schedule, which sleeps for up to a minute after a failed query. */
const MAX_SCHEDULE_END_MS = 1000;

/**
 * Starts to run jobs. `stop()` waits for the running ones. The queue ends by itself if it cannot write the end of a job,
 * for example while the database restarts. In that case this function starts it again until it succeeds. It also starts
 * it again, with the other jobs, when everything outgoing begins or ceases to wait. [OPS-54]
 */
export async function startJobs(ctx: Context, databaseUrl: string): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopRequested = once(signal, 'abort');
  const supervisor = keepRunning(await startQueue(ctx, databaseUrl));

  async function keepRunning(queue: Queue | null): Promise<void> {
    while (queue === null || !(await closeAtEnd(queue))) {
      await pause(RESTART_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      queue = await startQueue(ctx, databaseUrl).catch((error: unknown) => {
        ctx.log.error({ err: error }, 'the job queue could not be started; trying again');
        return null;
      });
    }
  }

  /** Closes the queue when it has ended, has to stop, or runs the wrong jobs. Returns whether it had to stop. */
  async function closeAtEnd(queue: Queue): Promise<boolean> {
    const closing = new AbortController();
    const changed = untilWaiting(ctx.db, !queue.held, AbortSignal.any([signal, closing.signal]));
    const why = await Promise.race([
      queue.ended.then(() => 'ended'),
      stopRequested,
      changed.then(() => 'changed'),
    ]);
    closing.abort();
    await queue.close();
    if (signal.aborted) return true;
    if (why === 'changed') ctx.log.info(`everything outgoing ${queue.held ? 'is released' : 'waits'}`);
    else ctx.log.error('the job queue stopped unexpectedly; starting it again');
    return false;
  }

  return {
    stop: async () => {
      stopping.abort();
      await supervisor;
    },
  };
}

type Queue = {
  /** Whether it leaves out the outgoing jobs. */
  held: boolean;
  /** Resolves when the queue runs no job any more. */
  ended: Promise<void>;
  close: () => Promise<void>;
};

async function startQueue(ctx: Context, databaseUrl: string): Promise<Queue> {
  const held = await mustWait(ctx.db);
  const { queued, money, timed } = jobsOf(ctx, { held });
  // Only this server uses an embedded database. A worker that holds a job there belongs to an earlier run.
  if (ctx.config.databaseUrl === undefined) await unlockAbandoned(ctx.db, { hungForMs: 0 });
  // graphile-worker keeps one connection to listen, and takes another for each job that starts or ends.
  const { jobs: connections } = shareConnections(ctx.config.databasePoolSize);
  const pool = createPool(databaseUrl, connections);
  const events: WorkerEvents = new EventEmitter();
  const ended = endOf(events);
  const announce = announceWorkers(events);
  // The queue begins to listen on this connection now.
  events.on('pool:listen:success', ({ client }) => void client.once('drain', () => announce(client)));
  const runner = await run({
    pgPool: pool,
    events,
    concurrency: Math.min(4, connections),
    pollInterval: 1000,
    noHandleSignals: true,
    // With a delay set, a job end that cannot be written ends the queue. Without it, the failure is an unhandled
    // rejection, which would end the whole server (graphile-worker 0.18.0).
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: loggerOf(ctx),
    taskList: { ...queued, ...money, ...timed },
    // The key keeps a job that is still waiting from being queued a second time.
    crontab: Object.keys({ ...money, ...timed })
      .map((name) => `* * * * * ${name} ?max=3&jobKey=${name}`)
      .join('\n'),
  }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  // `endOf` reads the events of the queue instead.
  runner.promise.catch(() => {});
  return {
    held,
    ended,
    close: async () => {
      // `stop` fails if the queue has already stopped by itself.
      const stopped = runner.stop().catch(() => {});
      await Promise.race([stopped, ended.then(async () => await pause(MAX_SCHEDULE_END_MS))]);
      await ended;
      await pool.end();
    },
  };
}

/**
 * Resolves when no job runs any more, and the end of each has been written or cannot be. The promise of the runner does
 * not settle if the ends of two jobs could not be written at the same time: graphile-worker 0.18.0 counts the second
 * failure twice, and then waits for its count to become zero (https://github.com/graphile/worker/issues/636).
 */
async function endOf(events: WorkerEvents): Promise<void> {
  const jobsEnded = Promise.race([
    once(events, 'pool:gracefulShutdown:complete'),
    once(events, 'pool:forcefulShutdown:complete'),
    once(events, 'pool:forcefulShutdown:error'),
  ]);
  const failed = once(events, 'pool:fatalError');
  await Promise.race([once(events, 'pool:release'), Promise.all([failed, jobsEnded])]);
}

export function loggerOf(ctx: Context): Logger {
  return new Logger(() => (level, message, meta) => {
    const { job, error, duration } = (meta ?? {}) as JobLine;
    if (job && duration !== undefined) logJob(ctx, job, { error, ms: Math.round(duration) });
    else if (level === 'error') ctx.log.error(message);
    else if (level === 'warning') ctx.log.warn(message);
    else ctx.log.debug(message);
  });
}

/** What graphile-worker says beside the message about a job. */
type JobLine = { job?: Job; error?: unknown; duration?: number };

function logJob(ctx: Context, job: Job, { error, ms }: { error: unknown; ms: number }): void {
  const { requestId } = (job.payload ?? {}) as QueuedBy;
  const line = { requestId, job: job.task_identifier, jobId: job.id, attempt: job.attempts, ms };
  if (error !== undefined) ctx.log.error({ ...line, err: error }, 'a job failed');
  // The jobs of every minute would be most of the log.
  else if (requestId !== undefined) ctx.log.info(line, 'a job ended');
}
