import { sql } from 'kysely';
import { MINUTE_MS, SECOND_MS } from '#domain/time.ts';
import { findArchiveDifferences } from '../archive/state.ts';
import { type BackupAges, readBackupAges } from '../backup/state.ts';
import type { Context } from '#server/platform/context.ts';
import { countFaults, type FaultCount } from '#server/delivery/faults/open-faults.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { countServers } from '#server/platform/database/servers/servers.ts';
import { mustWait } from '#server/platform/outbound/wait.ts';
import { findUncovered } from '#server/money/books/books.ts';
import { findWholeCheck } from '#server/money/books/whole-check.ts';
import { lateCancels } from '#server/money/refunds/cancelling/overdue.ts';

/** The sums of the books read many postings, and change slowly. */
const MONEY_MS = 10 * MINUTE_MS;

type Queue = {
  jobsWaiting: number;
  jobsFailed: number;
  /** Jobs that have used up their tries. */
  jobsGivenUp: number;
  /** Seconds since the job that is due for the longest time should have run first, also if it will be tried again. 0: none. */
  oldestJob: number;
  mailWaiting: number;
  /** Seconds since the oldest mail that waits was due; 0 if none waits. */
  oldestMail: number;
};

/** Of the last check of everything in the books. Null: there was none yet. */
type Books = { differences: number | null; ageSeconds: number | null };

export type DatabaseFigures = Queue & {
  copies: number;
  differences: number;
  uncoveredCents: number;
  /** Cancels that are an alarm, because they have waited too long for the operator. */
  lateCancels: number;
  books: Books;
  backups: BackupAges;
  archiveDifferences: number;
  isOutboundHeld: boolean;
  faults: FaultCount[];
};

/** Returns a function that reads the figures that only the database knows. */
export function createDatabaseFigures(ctx: Context): () => Promise<DatabaseFigures> {
  let uncovered = { cents: 0, atMs: -Infinity };

  async function findUncoveredSometimes(): Promise<number> {
    const atMs = performance.now();
    if (atMs - uncovered.atMs > MONEY_MS) uncovered = { cents: await findUncovered(ctx), atMs };
    return uncovered.cents;
  }

  return async () => ({
    ...(await findQueue(ctx.db)),
    copies: await countServers(ctx.db),
    differences: await countDifferences(ctx),
    uncoveredCents: await findUncoveredSometimes(),
    lateCancels: (await lateCancels(ctx.db, ctx.now())).length,
    books: await findBooks(ctx),
    backups: await readBackupAges(ctx.db, ctx.now()),
    archiveDifferences: await findArchiveDifferences(ctx.db),
    isOutboundHeld: await mustWait(ctx.db),
    faults: await countFaults(ctx.db),
  });
}

/**
 * A job that has used up its tries stays in the queue, but is not due. Each failure moves `run_at` by exp(least(tries, 10))
 * seconds, which count as waited, so that a job that keeps failing gets older.
 */
async function findQueue(tx: Tx): Promise<Queue> {
  const { rows } = await sql<Queue>`
    select
      count(*) filter (where last_error is null) as jobs_waiting,
      count(*) filter (where last_error is not null) as jobs_failed,
      count(*) filter (where attempts >= max_attempts and locked_at is null) as jobs_given_up,
      coalesce(greatest(0, extract(epoch from now() - min(run_at - waited) filter (
        where attempts < max_attempts or locked_at is not null))), 0)::float8 as oldest_job,
      (select count(*) from messages where sent_at is null and not kept and not suppressed) as mail_waiting,
      (select coalesce(greatest(0, extract(epoch from now() - min(greatest(created_at, held_until)))), 0)::float8
        from messages where sent_at is null and not kept and not suppressed) as oldest_mail
    from graphile_worker.jobs
    cross join lateral (
      select coalesce(sum(exp(least(tries, 10))), 0) * interval '1 second' as waited
        from generate_series(1, case when last_error is null then 0 else attempts end) tries) retries`.execute(
    tx,
  );
  return rows[0]!;
}

/** The differences between the ledger and the card provider that the last comparison found. */
async function countDifferences({ db, payments }: Context): Promise<number> {
  const { n } = await db
    .selectFrom('differences')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('book', '=', payments.book)
    .executeTakeFirstOrThrow();
  return n;
}

async function findBooks({ db, realNow }: Context): Promise<Books> {
  const { checkedAt, differences } = await findWholeCheck(db);
  if (checkedAt === null) return { differences: null, ageSeconds: null };
  return { differences, ageSeconds: Math.max(0, (realNow().getTime() - checkedAt.getTime()) / SECOND_MS) };
}
