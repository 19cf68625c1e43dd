/** Reads the tables of other modules, and writes only who has got which mail about campaigns. */
import { sql } from 'kysely';
import type { Days } from '#domain/analytics/days.ts';
import type { Role } from '#domain/accounts/roles.ts';
import type { MailSettings } from '#domain/notifications/notices.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { MAIL_SETTINGS } from '#server/notify/notify.ts';

export type Person = MailSettings & { userId: number; email: string };

/** Somebody who may get the mail about a week. */
export type Weekly = Person & { isSuspended: boolean };

/** Who has had their turn in a week: of advertisers, and of publishers. */
export type WeekTable = 'campaignWeeks' | 'publisherWeeks';

export type EndedAd = Person & {
  planId: number | null;
  isDeleted: boolean;
  /** Whether another ad of the same plan still runs. */
  isPlanRunning: boolean;
};

/** An ad that has ended, with its advertiser. */
export async function findEnded(tx: Tx, adId: number): Promise<EndedAd | undefined> {
  const { rows } = await sql<EndedAd>`
    select u.id as user_id, ${MAIL_SETTINGS}, a.plan_id, u.deleted_at is not null as is_deleted,
        exists (select from ads other where other.plan_id = a.plan_id and other.status = 'active') as is_plan_running
      from ads a
      join users u on u.id = a.user_id
      left join user_settings s on s.user_id = u.id
      where a.id = ${adId} and a.status = 'completed'`.execute(tx);
  return rows[0];
}

/**
 * Notes that the advertiser is told the end of an ad, or of all ads of its plan that have ended. Returns false if they
 * have been told already, or if nothing was delivered to its end: the mail about an early end says why it ended.
 */
export async function noteTold(
  tx: Tx,
  { adId, planId }: { adId: number; planId: number | null },
  at: Date,
): Promise<boolean> {
  const which = planId === null ? sql`id = ${adId}` : sql`plan_id = ${planId}`;
  const { rows } = await sql`
    insert into told_ends (ad_id, told_at)
      select id, ${at} from ads
        where ${which} and status = 'completed' and ended_reason = 'delivered'
        order by id
      on conflict do nothing
      returning ad_id`.execute(tx);
  return rows.length > 0;
}

/** The account that the mailing of a week has reached; null if the week is done. */
export async function reachedOf(tx: Tx, table: WeekTable, week: string): Promise<number | null> {
  const find = async () =>
    await tx
      .selectFrom(table)
      .select(['mailedThrough', 'mailedAt'])
      .where('week', '=', week)
      .executeTakeFirst();
  const known = await find();
  if (!known) {
    await tx
      .insertInto(table)
      .values({ week })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const { mailedThrough, mailedAt } = known ?? (await find())!;
  return mailedAt === null ? mailedThrough : null;
}

/** Takes a person's turn in a week. Returns false if they have had it. */
export async function takeTurn(tx: Tx, table: WeekTable, week: string, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(table)
    .set({ mailedThrough: userId })
    .where('week', '=', week)
    .where('mailedThrough', '<', userId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function closeWeek(tx: Tx, table: WeekTable, week: string, at: Date): Promise<void> {
  await tx
    .updateTable(table)
    .set({ mailedAt: at })
    .where('week', '=', week)
    .where('mailedAt', 'is', null)
    .execute();
}

/** The next advertisers with an ad that has begun before `until` and still runs, by the numbers of their accounts. */
export async function listAdvertisers(
  tx: Tx,
  { until, after, limit }: { until: Date; after: number; limit: number },
): Promise<Weekly[]> {
  const { rows } = await sql<Weekly>`
    select u.id as user_id, ${MAIL_SETTINGS}, u.suspended_at is not null as is_suspended
      from (
        select distinct user_id from ads
          where status = 'active' and start_date < ${until} and user_id > ${after}
          order by user_id limit ${limit}) as next
      join users u on u.id = next.user_id
      left join user_settings s on s.user_id = u.id
      order by u.id`.execute(tx);
  return rows;
}

export type OwnWeek = {
  /** How many ads ran in it. */
  campaigns: number;
  /** Whether an ad had begun before it. */
  ranBefore: boolean;
  measuredClicks: number;
  conversions: number;
};

/** What an advertiser's figures do not say about days in their timezone. */
export async function findOwnWeek(
  tx: Tx,
  userId: number,
  { days, timezone }: { days: Days; timezone: string },
): Promise<OwnWeek> {
  const from = sql`(${days.from}::date::timestamp at time zone ${timezone})`;
  const until = sql`((${days.to}::date + 1)::timestamp at time zone ${timezone})`;
  const { rows } = await sql<OwnWeek>`
    with own as (
      select id, status, start_date, end_date from ads
        where user_id = ${userId} and status in ('active', 'completed') and start_date < ${until}
    ), ran as (
      select id from own where status = 'active' or end_date >= ${from}
    )
    select (select count(*) from ran)::float8 as campaigns,
      exists (select from own where start_date < ${from}) as ran_before,
      coalesce((select sum(h.clicks) from ran join landing_hours h on h.ad_id = ran.id
        where h.hour >= ${from} and h.hour < ${until}), 0)::float8 as measured_clicks,
      (select count(*) from conversions
        where user_id = ${userId} and converted_at >= ${from} and converted_at < ${until})::float8 as conversions`.execute(
    tx,
  );
  return rows[0]!;
}

/** The role does not matter to what they own, but says which steps wait for them. */
export type Publisher = Weekly & { role: Role | null };

/** The next people with an ad zone whose tag has asked for an ad since then, by the numbers of their accounts. */
export async function listPublishers(
  tx: Tx,
  { seenSince, after, limit }: { seenSince: Date; after: number; limit: number },
): Promise<Publisher[]> {
  const { rows } = await sql<Publisher>`
    select u.id as user_id, u.role, ${MAIL_SETTINGS}, u.suspended_at is not null as is_suspended
      from (
        select distinct w.user_id from websites w join ad_zones z on z.website_id = w.id
          where w.user_id > ${after} and w.archived_at is null and z.deleted_at is null and z.tag_seen_at >= ${seenSince}
          order by w.user_id limit ${limit}) as next
      join users u on u.id = next.user_id
      left join user_settings s on s.user_id = u.id
      where u.deleted_at is null
      order by u.id`.execute(tx);
  return rows;
}

export type SoldZone = { id: number; name: string; website: string; slots: number | null };

/** The publisher's ad zones that are offered and have a price, those with the most measured views first. */
export async function listSoldZones(tx: Tx, userId: number): Promise<SoldZone[]> {
  const { rows } = await sql<SoldZone>`
    select z.id, z.name, w.shown_name as website, z.slots
      from websites w
      join users publisher on publisher.id = w.user_id
      join ad_zones z on z.website_id = w.id
      left join zone_measurements m on m.zone_id = z.id
      where w.user_id = ${userId} and is_zone_offered(z, w, publisher)
        and exists (select from ad_zone_products p where p.ad_zone_id = z.id and p.is_active)
      order by coalesce(m.views, 0) desc, z.id`.execute(tx);
  return rows;
}
