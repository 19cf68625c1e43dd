/** Measures what the jobs of a minute read from the database. */
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type pg from 'pg';
import { createDatabase, createPool } from '#server/platform/database/database.ts';
import { jobsOf } from '#server/app/jobs/worker.ts';
import { withDatabase } from '../database/fill.ts';
import { type PlanNode, rowsOf, withChildren } from '../database/query-plans.ts';

/** A statement of a job: the rows that it read, the pages of 8 kB that it needed for them, and its time. */
export type Statement = { job: string; sql: string; rows: number; pages: number; ms: number };

/**
 * Where the statements are explained, and with which context the jobs run. `small` keeps the planner from reading a table
 * whole because it fits into a few pages.
 */
type Place = { ctx: Context; databaseUrl: string; ownerUrl: string; small?: boolean };

/** The planner may choose another index for larger tables, and a deeper index has more pages. */
const ROWS_MORE = 5;
const PAGES_MORE = 40;

/** The statements that read more in a larger database, as text. */
export function growing(few: readonly Statement[], many: readonly Statement[]): string[] {
  const keyOf = ({ job, sql }: Statement) => `${job}: ${sql}`;
  const before = new Map(few.map((each) => [keyOf(each), each]));
  return many.flatMap((each) => {
    const { rows, pages } = before.get(keyOf(each)) ?? { rows: 0, pages: 0 };
    return each.rows > rows + ROWS_MORE || each.pages > pages + PAGES_MORE
      ? [`${rows} → ${each.rows} rows, ${pages} → ${each.pages} pages, ${keyOf(each)}`]
      : [];
  });
}

function minuteJobs(ctx: Context) {
  const { money, timed } = jobsOf(ctx, { held: false });
  return { ...money, ...timed };
}

/**
 * Measures the jobs of a minute in which nothing is due, and then the daily comparison with the provider, which is due and
 * finds no movement since the one before. `place` has what fillMinute has made.
 */
export async function measureMinute(place: Place): Promise<Statement[]> {
  // The first run signs the log, makes the documents of the months and does the work of the hour.
  for (const work of Object.values(minuteJobs(place.ctx))) await work();
  const measure = async (on: Place, jobs: typeof minuteJobs) =>
    await withDatabase(place.ownerUrl, async (client) => await measureJobs(client, on, jobs));
  const minute = await measure(place, minuteJobs);
  // The comparison looks three days back behind the one before.
  const last = later(place.ctx.now(), 4 * DAY_MS);
  await place.ctx.db.updateTable('reconciliations').set({ finishedAt: last }).execute();
  const ctx = { ...place.ctx, now: () => later(last, DAY_MS) };
  const comparison = await measure({ ...place, ctx }, (due) => ({
    'compare-with-provider, due': minuteJobs(due)['compare-with-provider']!,
  }));
  return [...minute, ...comparison];
}

/**
 * Runs jobs one after the other and explains each of their statements once more, so the rows of a statement that has
 * changed something are those that are still due. One connection explains all of them, because opening one takes longer than
 * most statements. Returns each text once for a job, with its largest figures.
 */
async function measureJobs(
  client: pg.Client,
  { ctx, databaseUrl, small = false }: Place,
  jobs: (ctx: Context) => Record<string, () => Promise<unknown>>,
): Promise<Statement[]> {
  const sent: { sql: string; parameters: readonly unknown[]; ms: number }[] = [];
  const db = createDatabase(createPool(databaseUrl), ({ query, queryDurationMillis }) => {
    sent.push({ sql: query.sql, parameters: query.parameters, ms: queryDurationMillis });
  });
  try {
    const found = new Map<string, Statement>();
    for (const [job, work] of Object.entries(jobs({ ...ctx, db }))) {
      sent.length = 0;
      await work();
      for (const { sql, parameters, ms } of sent.splice(0)) {
        const plan = await explain(client, small, sql, parameters);
        if (plan === null) continue;
        const key = `${job} ${sql}`;
        const before = found.get(key);
        const scans = withChildren(plan).filter((node) => node['Relation Name'] !== undefined);
        const rows = scans.reduce((sum, node) => sum + rowsOf(node), 0);
        const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
        found.set(key, {
          job,
          sql: sql.replaceAll(/\s+/g, ' ').trim(),
          rows: Math.max(rows, before?.rows ?? 0),
          pages: Math.max(pages, before?.pages ?? 0),
          ms: Math.max(ms, before?.ms ?? 0),
        });
      }
    }
    return [...found.values()];
  } finally {
    await db.destroy();
  }
}

/** Null if PostgreSQL explains no such statement, for example `begin`. */
async function explain(
  client: pg.Client,
  small: boolean,
  sql: string,
  parameters: readonly unknown[],
): Promise<PlanNode | null> {
  if (!/^\s*(?:\(|select|with|insert|update|delete)/i.test(sql)) return null;
  await client.query('begin');
  if (small) await client.query('set local enable_seqscan = off');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    [...parameters],
  );
  await client.query('rollback');
  return rows[0]!['QUERY PLAN'][0].Plan;
}
