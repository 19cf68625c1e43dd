import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { runOnce, type WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import { createPool } from '#server/platform/database/database.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { type MoneyRun, runMoneyWork } from '#server/money/books/run.ts';
import { announceWorkers, isBusy, unlockAbandoned } from './unlock-abandoned.ts';
import { jobsOf, loggerOf } from './worker.ts';

/** Work that makes new work in every round has an error. The minute's jobs would go on with it. */
const MAX_ROUNDS = 50;
/** How long the command waits for a job that another instance has begun. None takes longer. */
const MAX_WAIT_MS = 2 * MINUTE_MS;
const LOOK_AGAIN_MS = 50;

export type DueRun = {
  money: MoneyRun;
  /** The number of queued jobs that this process finished. */
  jobs: number;
  /** The jobs that failed. The queue tries its own again later. */
  failed: string[];
};

/**
 * Does all work that is due: about money, what the jobs of each minute and hour do, and the queue. Repeats this until a
 * round queues nothing more, so that the work that follows from other work is done, too. Returns when no due job is left
 * in the queue, including those that the running instances have begun. Throws 409 while everything outgoing waits.
 */
export async function runDueJobs(ctx: Context, databaseUrl: string): Promise<DueRun> {
  const { queued, money: moneyJobs, timed } = jobsOf(ctx, { held: false });
  const failed = new Set<string>();
  let done = 0;
  const events: WorkerEvents = new EventEmitter();
  events.on('job:success', () => void done++);
  events.on('job:error', ({ job }) => void failed.add(job.task_identifier));
  const announce = announceWorkers(events);
  const pool = createPool(databaseUrl, 3, 'openslot jobs');
  const presence = await pool.connect();
  announce(presence);
  try {
    for (let round = 1; ; round++) {
      const before = { queued: await lastQueued(ctx), done };
      await unlockAbandoned(ctx.db, { absentForMs: 0 });
      const money = await runMoneyWork(ctx);
      for (const [name, work] of Object.entries(timed)) {
        await work().catch((error: unknown) => {
          failed.add(name);
          ctx.log.error({ err: error, job: name }, 'a job failed');
        });
      }
      await runOnce({
        pgPool: pool,
        events,
        concurrency: 1,
        noHandleSignals: true,
        logger: loggerOf(ctx),
        taskList: { ...queued, ...moneyJobs, ...timed },
      });
      await othersEnded(ctx);
      const isQuiet = before.done === done && before.queued === (await lastQueued(ctx));
      if (isQuiet || round === MAX_ROUNDS) return { money, jobs: done, failed: [...failed] };
    }
  } finally {
    presence.release();
    await pool.end();
  }
}

/** The number of the newest job that was ever queued. */
async function lastQueued(ctx: Context): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')::regclass)::text as last
  `.execute(ctx.db);
  return rows[0]?.last ?? null;
}

/** Waits until no instance runs a due job any more. */
async function othersEnded(ctx: Context): Promise<void> {
  for (let waited = 0; waited < MAX_WAIT_MS && (await isBusy(ctx.db)); waited += LOOK_AGAIN_MS) {
    await pause(LOOK_AGAIN_MS);
  }
}
