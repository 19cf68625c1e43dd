import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Tx } from '#server/platform/database/database.ts';

export async function ensurePartitions(tx: Tx, days: string[]): Promise<void> {
  await sql`select ensure_event_partition(day) from unnest(${days}::date[]) as day`.execute(tx);
}

/** Makes the months of these hours in `delivery_hourly`. Fails if a report of all months is being read (see isLockTimeout). */
export async function ensureMonths(tx: Tx, hours: readonly Date[]): Promise<void> {
  for (const hour of hours) await sql`select ensure_hour_month(${hour})`.execute(tx);
}

/** The days of which events are in the database and that are older than `daysKept` days before `today`, oldest first. */
export async function findOldDays(tx: Tx, today: string, daysKept: number): Promise<string[]> {
  return await daysOf(tx, DAYS, sql`first_kept_event_day(${today}::date, ${daysKept}::integer)`);
}

/** The days with a partition that no report can belong to any more, oldest first. */
export async function findDaysToPack(tx: Tx, today: string): Promise<string[]> {
  return await daysOf(tx, PARTITIONED, sql`first_kept_event_day(${today}::date)`);
}

/** All days of which events are in the database, packed or not, oldest first. */
export async function findDays(tx: Tx): Promise<string[]> {
  return await daysOf(tx, DAYS, sql`'infinity'::date`);
}

async function daysOf(tx: Tx, days: RawBuilder<unknown>, before: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text from (${days}) as days where day < ${before} order by 1`.execute(tx);
  return rows.map(({ day }) => day);
}

const PARTITIONED = sql`
  select to_date(substr(relname, 11), 'YYYYMMDD') as day from pg_class
    where relname ~ '^ad_events_\\d{8}$' and relkind = 'r' and relnamespace = 'public'::regnamespace`;

const DAYS = sql`
  ${PARTITIONED}
  union
  select day::date
    from generate_series(
      (select min(issued_on) from packed_events)::timestamp, (select max(issued_on) from packed_events)::timestamp, '1 day') as day
    where exists (select from packed_events where issued_on = day::date)`;

/** How many blocks of 8 kB the partition of the day has; 0 if it has gone. */
export async function countBlocks(tx: Tx, day: string): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select coalesce(pg_relation_size(to_regclass(${partitionOf(day)})) / 8192, 0)::float8 as blocks`.execute(
    tx,
  );
  return rows[0]!.blocks;
}

/** Packs the events from block `first` to before `next`, and returns how many these were. */
export async function packBlocks(
  tx: Tx,
  day: string,
  { today, first, next }: { today: string; first: number; next: number },
): Promise<number> {
  const { rows } = await sql<{ packed: number }>`
    select pack_events(${day}::date, ${today}::date, ${first}, ${next})::float8 as packed`.execute(tx);
  return rows[0]!.packed;
}

/** Drops the partition of a day if all of its events are packed. Fails if it is still being read (see isLockTimeout). */
export async function dropPacked(tx: Tx, day: string, today: string): Promise<void> {
  await sql`select drop_packed_partition(${day}::date, ${today}::date)`.execute(tx);
}

const partitionOf = (day: string) => `ad_events_${day.replaceAll('-', '')}`;

/**
 * Returns whether the day was dropped. It stays if it is not old enough, or if it `needsArchive` and is not whole there.
 * Fails if the partition is still being read (see isLockTimeout).
 */
export async function dropDay(
  tx: Tx,
  day: string,
  { today, daysKept, needsArchive }: { today: string; daysKept: number; needsArchive: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ dropped: boolean }>`
    select drop_event_day(${day}::date, ${today}::date, ${daysKept}, ${needsArchive}) as dropped`.execute(tx);
  return rows[0]!.dropped;
}

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';
