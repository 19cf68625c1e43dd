/** The table of archived days, and what they are compared with. */
import { sql } from 'kysely';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { ArchivedEvent } from './parquet.ts';
import { sumKey, type Sums } from './sums.ts';

/** A day of events that was written to its place, or could not be. */
export type ArchivedDay = {
  day: string;
  place: string;
  /** Why the last try failed. Null: its files have every event. */
  error: string | null;
  parts: number;
  rows: number;
  bytes: number;
  digest: string;
  differences: number;
  firstDifference: string | null;
  /** Those of `rows` and `parts` whose events are not in the database any more. */
  droppedRows: number;
  droppedParts: number;
};

/** Oldest first. */
export async function listArchived(tx: Tx): Promise<ArchivedDay[]> {
  return await selectDays(tx).orderBy('day').execute();
}

export async function findArchived(tx: Tx, day: string): Promise<ArchivedDay | undefined> {
  return await selectDays(tx)
    .where('day', '=', sql<never>`${day}::date`)
    .executeTakeFirst();
}

function selectDays(tx: Tx) {
  return tx
    .selectFrom('archivedDays')
    .select(['place', 'error', 'parts', 'rows', 'bytes', 'digest', 'differences', 'firstDifference'])
    .select(['droppedRows', 'droppedParts'])
    .select(sql<string>`day::text`.as('day'));
}

/** The days that have failed or differed since `minutes` ago, which are not tried again yet. */
export async function listTriedSince(tx: Tx, minutes: number): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text from archived_days where tried_at > now() - make_interval(mins => ${minutes})`.execute(
    tx,
  );
  return rows.map(({ day }) => day);
}

export async function noteFailure(tx: Tx, day: string, place: string, error: string): Promise<void> {
  await sql`
    insert into archived_days (day, tried_at, error, place) values (${day}, now(), ${error}, ${place})
      on conflict (day) do update set tried_at = now(), error = excluded.error`.execute(tx);
}

type Written = Pick<ArchivedDay, 'day' | 'place' | 'parts' | 'rows' | 'bytes' | 'digest'> & {
  differences: readonly string[];
  elsewhere: ReadonlyMap<string, Sums>;
};

export async function noteArchived(tx: Tx, written: Written): Promise<void> {
  const { day, place, parts, rows, bytes, digest, differences } = written;
  const elsewhere = JSON.stringify(
    Object.fromEntries([...written.elsewhere].map(([on, sums]) => [on, Object.fromEntries(sums)])),
  );
  await sql`
    insert into archived_days
        (day, tried_at, error, place, parts, rows, bytes, digest, differences, first_difference, elsewhere)
      values (${day}, now(), null, ${place}, ${parts}, ${rows}, ${bytes}, ${digest}, ${differences.length},
        ${differences[0] ?? null}, ${elsewhere}::jsonb)
      on conflict (day) do update set tried_at = now(), error = null, place = excluded.place, parts = excluded.parts,
        rows = excluded.rows, bytes = excluded.bytes, digest = excluded.digest, differences = excluded.differences,
        first_difference = excluded.first_difference, elsewhere = excluded.elsewhere`.execute(tx);
}

/**
 * Yields all events of a day that are in the database, up to `count` at a time. `tx` must be a transaction, which its cursor
 * keeps open.
 */
export async function* readDay(tx: Tx, day: string, count: number): AsyncGenerator<ArchivedEvent[]> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
  await sql`declare day_of_events no scroll cursor for
    select encode(decision_id, 'hex') as "decisionId", kind, ad_id as "adId", zone_id as "zoneId",
        issued_at as "issuedAt", counted_at as "receivedAt", reason
      from kept_events where issued_on = ${sql.lit(day)}::date`.execute(tx);
  for (;;) {
    const { rows } = await sql<ArchivedEvent>`fetch forward ${sql.lit(count)} from day_of_events`.execute(tx);
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
  }
}

/** The sums of the events of `issuedOn` that were received on `day`. */
export async function sumsOfDay(tx: Tx, issuedOn: string, day: string): Promise<Sums> {
  const { rows } = await sql<Sum>`
    select ad_id as "adId", kind, coalesce(reason, '') as reason, count(*)::float8 as n
      from kept_events where issued_on = ${issuedOn}::date and ${within(sql.ref('countedAt'), day)}
      group by ad_id, kind, reason`.execute(tx);
  return asSums(rows);
}

/** The sums of the events that are in the files of other days, but were received on `day`. */
export async function sumsElsewhere(tx: Tx, day: string, exceptIssuedOn: readonly string[]): Promise<Sums[]> {
  const { rows } = await sql<{ sums: Record<string, number> }>`
    select elsewhere -> ${day} as sums from archived_days
      where elsewhere ? ${day} and day <> all (${[...exceptIssuedOn]}::date[])`.execute(tx);
  return rows.map(({ sums }) => new Map(Object.entries(sums)));
}

/** Their reports add to the hours and leave no event: what is refused before the event log, and what was reported before. */
const WITHOUT_EVENT: readonly Reason[] = ['forged', 'expired', 'prefetch', 'duplicate'];

/** The sums of the counters of a day that must be those of its events. */
export async function sumsOfCounters(tx: Tx, day: string): Promise<Sums> {
  const { rows } = await sql<Sum>`
    select ad_id as "adId", kind, reason, sum(n)::float8 as n
      from delivery_hourly
      where ${within(sql.ref('hour'), day)} and kind <> 'decision' and reason <> all (${[...WITHOUT_EVENT]}::text[])
        and ad_id is not null
      group by ad_id, kind, reason`.execute(tx);
  return asSums(rows);
}

/** The ads that were shown on a day. */
export async function adsOfDay(tx: Tx, day: string): Promise<Set<number>> {
  const { rows } = await sql<{ adId: number }>`
    select distinct ad_id as "adId" from delivery_hourly
      where ${within(sql.ref('hour'), day)} and ad_id is not null`.execute(tx);
  return new Set(rows.map(({ adId }) => adId));
}

type Sum = { adId: number; kind: string; reason: string; n: number };

const asSums = (rows: readonly Sum[]): Sums =>
  new Map(rows.map(({ adId, kind, reason, n }) => [sumKey(adId, kind, reason), n]));

/** The instants of a UTC day. */
const within = (column: ReturnType<typeof sql.ref>, day: string) =>
  sql`${column} >= ${`${day}T00:00:00Z`}::timestamptz and ${column} < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'`;
