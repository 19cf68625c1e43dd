import { MAX_ID } from '#domain/fields.ts';
import type { Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { type Operator, perform, record } from './act.ts';
import { dropQueued, findJob, type JobRow, retryQueued, selectJobs } from './store-jobs.ts';

const PAGE_SIZE = 50;

/** The queued jobs, newest first, or only those that failed. */
export async function jobs(
  ctx: Context,
  query: { failed?: boolean; cursor?: string | undefined; limit?: number },
): Promise<Page<JobRow>> {
  const { failed = false, cursor, limit = PAGE_SIZE } = query;
  const before = decodeCursor(cursor);
  return pageOf(await selectJobs(ctx.db, { failed, before, limit: limit + 1 }), limit);
}

type AboutJob = { id: number; reason: string };

/** Runs a job now, with all of its tries again. Throws 404, or 409 while it runs. */
export async function retryJob(ctx: Context, operator: Operator, job: AboutJob): Promise<void> {
  await change(ctx, operator, 'retry-job', job);
}

/** Removes a job for good. Throws 404, or 409 while it runs. */
export async function dropJob(ctx: Context, operator: Operator, job: AboutJob): Promise<void> {
  await change(ctx, operator, 'drop-job', job);
}

async function change(
  ctx: Context,
  operator: Operator,
  act: 'retry-job' | 'drop-job',
  { id, reason }: AboutJob,
): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const job = id <= MAX_ID ? await findJob(tx, id) : undefined;
    if (!job) throw notFound('There is no job with this number. It may have ended.');
    const changed = act === 'retry-job' ? await retryQueued(tx, id) : await dropQueued(tx, id);
    if (!changed) throw conflict('This job is running now. Wait until it has ended.');
    await record(ctx, tx, operator, {
      act,
      subject: 'job',
      subjectId: id,
      subjectName: job.name,
      affectedId: null,
      reason,
    });
  });
}
