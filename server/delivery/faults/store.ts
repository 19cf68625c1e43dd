/** The SQL of the table delivery_faults. Each state changes by one conditional statement, because several servers look. */
import { sql } from 'kysely';
import type { FaultCause, FaultFigures } from '#domain/delivery/fault-causes.ts';
import { EXPECTED_MS, type FaultKind, UNSEEN_ENDS_MS } from '#domain/delivery/faults.ts';
import type { MailSettings } from '#domain/notifications/notices.ts';
import { later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { MAIL_SETTINGS } from '#server/notify/notify.ts';

/** A fault of the installation has no website. */
export type Found = FaultFigures & { websiteId: number | null };
export type OpenFault = {
  id: number;
  websiteId: number | null;
  kind: FaultKind;
  cause: FaultCause;
  seenAt: Date;
};

/** The faults that have not ended, also the expected ones. */
export async function openFaults(tx: Tx): Promise<OpenFault[]> {
  const { rows } = await sql<OpenFault>`
    select id, website_id, kind, cause, seen_at from delivery_faults where ended_at is null order by id`.execute(
    tx,
  );
  return rows;
}

/**
 * Opens a fault, or notes that an open one was seen again. The cause of an open one changes, because what the refused
 * requests say may come after the fault.
 */
export async function noteFault(tx: Tx, { websiteId, kind, ...found }: Found, now: Date): Promise<void> {
  const { cause, counted, total, refused } = found;
  await sql`
    insert into delivery_faults (website_id, kind, cause, counted, total, refused, began_at, seen_at)
      values (${websiteId}, ${kind}, ${cause}, ${counted}, ${total}, ${refused}, ${now}, ${now})
      on conflict (website_id, kind) where ended_at is null do update
        set cause = excluded.cause, counted = excluded.counted, total = excluded.total, refused = excluded.refused,
          seen_at = excluded.seen_at`.execute(tx);
}

/** Whether a fault of this kind, which nobody had marked as expected, ended in the last week. It is a fault again if it comes back. */
export async function endedLately(tx: Tx, { websiteId, kind }: Pick<Found, 'websiteId' | 'kind'>, now: Date) {
  const { rows } = await sql`
    select from delivery_faults
      where website_id is not distinct from ${websiteId}::integer and kind = ${kind} and expected_at is null
        and ended_at > ${later(now, -UNSEEN_ENDS_MS)}
      limit 1`.execute(tx);
  return rows.length > 0;
}

/** Ends a fault unless it was seen again since it was read. */
export async function endFault(tx: Tx, { id, seenAt }: OpenFault, now: Date): Promise<void> {
  await sql`
    update delivery_faults set ended_at = ${now}
      where id = ${id} and ended_at is null and seen_at = ${seenAt} and expected_at is null`.execute(tx);
}

/** Ends the faults that were not seen for a week, and those that were expected for long enough. */
export async function endPastFaults(tx: Tx, now: Date): Promise<void> {
  await sql`
    update delivery_faults set ended_at = ${now}
      where ended_at is null and case when expected_at is null then seen_at <= ${later(now, -UNSEEN_ENDS_MS)}
        else expected_at <= ${later(now, -EXPECTED_MS)} end`.execute(tx);
}

export async function deleteFaultsEndedBefore(tx: Tx, instant: Date): Promise<void> {
  await sql`delete from delivery_faults where ended_at <= ${instant}`.execute(tx);
}

export type FaultRow = FaultFigures & {
  id: number;
  beganAt: Date;
  expectedAt: Date | null;
};
export type WebsiteFaultRow = FaultRow & { websiteId: number; websitePublicId: string; websiteName: string };

const COLUMNS = sql`f.id, f.kind, f.cause, f.counted, f.total::float8 as total, f.refused::float8 as refused, f.began_at, f.expected_at`;
const OF_WEBSITE = sql`${COLUMNS}, f.website_id, w.public_id as website_public_id, w.name as website_name`;

/** The open faults of a person's websites, those that somebody expects last. */
export async function faultsOfPublisher(tx: Tx, userId: number): Promise<WebsiteFaultRow[]> {
  const { rows } = await sql<WebsiteFaultRow>`
    select ${OF_WEBSITE}
      from websites w join delivery_faults f on f.website_id = w.id
      where w.user_id = ${userId} and w.archived_at is null and f.ended_at is null
      order by f.expected_at nulls first, f.began_at desc, f.id`.execute(tx);
  return rows;
}

/** Sets or clears 'expected' of an open fault of the person's own website; undefined if there is none. */
export async function setExpected(
  tx: Tx,
  { id, userId, at }: { id: number; userId: number; at: Date | null },
): Promise<WebsiteFaultRow | undefined> {
  const { rows } = await sql<WebsiteFaultRow>`
    update delivery_faults f
      set expected_at = case when ${at}::timestamptz is null then null else coalesce(f.expected_at, ${at}) end
      from websites w
      where f.id = ${id} and f.ended_at is null and w.id = f.website_id and w.user_id = ${userId}
        and w.archived_at is null
      returning ${OF_WEBSITE}`.execute(tx);
  return rows[0];
}

/** The same for a fault of the installation. */
export async function expectOfInstallation(tx: Tx, id: number, at: Date): Promise<FaultRow | undefined> {
  const { rows } = await sql<FaultRow>`
    update delivery_faults f set expected_at = ${at}
      where f.id = ${id} and f.website_id is null and f.ended_at is null and f.expected_at is null
      returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** The faults of the installation that somebody has to act on. */
export async function faultsOfInstallation(tx: Tx): Promise<FaultRow[]> {
  const { rows } = await sql<FaultRow>`
    select ${COLUMNS} from delivery_faults f
      where f.website_id is null and f.ended_at is null and f.expected_at is null
      order by f.began_at desc, f.id`.execute(tx);
  return rows;
}

/** The same of websites, the newest first. */
export async function faultsOfWebsites(tx: Tx, limit: number): Promise<WebsiteFaultRow[]> {
  const { rows } = await sql<WebsiteFaultRow>`
    select ${OF_WEBSITE}
      from delivery_faults f join websites w on w.id = f.website_id
      where f.ended_at is null and f.expected_at is null
      order by f.began_at desc, f.id
      limit ${limit}`.execute(tx);
  return rows;
}

/** The same of one website. */
export async function faultsOfWebsite(tx: Tx, websiteId: number): Promise<WebsiteFaultRow[]> {
  const { rows } = await sql<WebsiteFaultRow>`
    select ${OF_WEBSITE}
      from delivery_faults f join websites w on w.id = f.website_id
      where f.website_id = ${websiteId} and f.ended_at is null and f.expected_at is null
      order by f.began_at desc, f.id`.execute(tx);
  return rows;
}

/**
 * The open faults of websites with these causes that are older than `before`. Not those that the installation has as well,
 * because they are alarms already, or expected.
 */
export async function faultsForOperator(
  tx: Tx,
  causes: readonly FaultCause[],
  before: Date,
): Promise<WebsiteFaultRow[]> {
  const { rows } = await sql<WebsiteFaultRow>`
    select ${OF_WEBSITE}
      from delivery_faults f join websites w on w.id = f.website_id
      where f.ended_at is null and f.expected_at is null and f.began_at <= ${before} and f.cause = any(${causes})
        and w.archived_at is null
        and not exists (
          select from delivery_faults i where i.website_id is null and i.kind = f.kind and i.ended_at is null)
      order by f.cause, f.id`.execute(tx);
  return rows;
}

export type FaultCount = { isInstallation: boolean; kind: FaultKind; n: number; share: number };

/** How many faults somebody has to act on, and the largest share of refused events among them. */
export async function countFaults(tx: Tx): Promise<FaultCount[]> {
  const { rows } = await sql<FaultCount>`
    select website_id is null as is_installation, kind, count(*)::float8 as n,
        max(refused::float8 / greatest(total, 1)) as share
      from delivery_faults where ended_at is null and expected_at is null
      group by 1, 2`.execute(tx);
  return rows;
}

/** Whether the publisher got a mail about the same fault in the last week, so that a fault that comes and goes is told once. */
const toldLately = (now: Date) => sql`exists (
  select from delivery_faults t
    where t.website_id = f.website_id and t.kind = f.kind and t.told_at > ${later(now, -UNSEEN_ENDS_MS)})`;

/** The faults of websites whose publishers were not told, and that are older than `before`. */
export async function untoldFaults(tx: Tx, before: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from delivery_faults f
      where ended_at is null and expected_at is null and told_at is null and website_id is not null and began_at <= ${before}
        and not ${toldLately(before)}
      order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns the fault for the one caller that tells about it. */
export async function claimTelling(tx: Tx, id: number, now: Date): Promise<WebsiteFaultRow | undefined> {
  const { rows } = await sql<WebsiteFaultRow>`
    update delivery_faults f set told_at = ${now}
      from websites w
      where f.id = ${id} and f.told_at is null and f.expected_at is null and f.ended_at is null
        and w.id = f.website_id and w.archived_at is null
      returning ${OF_WEBSITE}`.execute(tx);
  return rows[0];
}

/** The person who gets the mail about a website, with their settings. */
export async function publisherOf(tx: Tx, websiteId: number): Promise<MailSettings & { email: string }> {
  const { rows } = await sql<MailSettings & { email: string }>`
    select ${MAIL_SETTINGS}
      from websites w join users u on u.id = w.user_id left join user_settings s on s.user_id = u.id
      where w.id = ${websiteId}`.execute(tx);
  return rows[0]!;
}
