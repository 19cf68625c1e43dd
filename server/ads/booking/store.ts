/** The SQL of booked days. Rules of the database are in server/platform/database/functions: closed_days, take_days, guard_booked_day. */
import { sql } from 'kysely';
import { type ClosedDays, type ClosedReason, MAX_UNAPPROVED_DAYS } from '#domain/ads/booking.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type ZoneCalendar = { slots: number | null; blockedDays: string[] };

/** Locks the calendar of a zone until the transaction ends. Come here with the locks of users, zones, ads and payments. */
export async function lockCalendar(tx: Tx, zoneId: number): Promise<void> {
  await sql`select lock_calendar(${zoneId}::integer)`.execute(tx);
}

export function findSlots(tx: Tx, zoneId: number): Promise<{ slots: number | null }> {
  return tx.selectFrom('adZones').select('slots').where('id', '=', zoneId).executeTakeFirstOrThrow();
}

type Range = {
  from: string;
  /** The first day after the range. */
  until: string;
  at: Date;
  /** The days that this person was offered are not closed. */
  userId?: number | null;
  /** The days of this ad are not closed. */
  exceptAdId?: number | null;
};

export async function closedDays(
  tx: Tx,
  zoneId: number,
  { from, until, at, userId = null, exceptAdId = null }: Range,
): Promise<ClosedDays> {
  const { rows } = await sql<{ day: string; reason: ClosedReason }>`
    select day, reason from closed_days(${zoneId}, ${from}, ${until}, ${at}, ${userId}, ${exceptAdId})`.execute(
    tx,
  );
  return new Map(rows.map(({ day, reason }) => [day, reason]));
}

/** The closed days of several zones in order, as runs with their last day, by zone. Zones without any are left out. */
export async function closedRunsOfZones(
  tx: Tx,
  zoneIds: readonly number[],
  { from, until, at, userId = null }: Range,
): Promise<ReadonlyMap<number, { from: string; to: string }[]>> {
  const { rows } = await sql<{ zoneId: number; from: string; to: string }>`
    select zone_id, min(day) as "from", max(day) as "to"
      from (
        select z.id as zone_id, c.day, c.day - (row_number() over (partition by z.id order by c.day))::integer as run
          from unnest(${zoneIds}::integer[]) as z (id)
          cross join lateral closed_days(z.id, ${from}, ${until}, ${at}, ${userId}) as c) as days
      group by zone_id, run
      order by zone_id, run`.execute(tx);
  return Map.groupBy(rows, ({ zoneId }) => zoneId);
}

/** Takes a slot on each day from `first` on and before `until`. The caller has found them free under the lock. */
export async function takeDays(
  tx: Tx,
  booking: { adId: number; zoneId: number; first: string; until: string },
  at: Date,
): Promise<void> {
  const { adId, zoneId, first, until } = booking;
  await sql`select take_days(${adId}, ${zoneId}, ${first}, ${until}, ${at})`.execute(tx);
}

/** The days that unapproved ads of an advertiser hold in a zone, without those of one ad. */
export async function countUnapprovedDays(
  tx: Tx,
  { zoneId, userId, exceptAdId }: { zoneId: number; userId: number; exceptAdId: number },
): Promise<number> {
  const { n } = await tx
    .selectFrom('bookedDays')
    .innerJoin('ads', 'ads.id', 'bookedDays.adId')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('bookedDays.zoneId', '=', zoneId)
    .where('ads.userId', '=', userId)
    .where('ads.status', '=', 'pending')
    .where('ads.id', '<>', exceptAdId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function listDaysOf(tx: Tx, adId: number): Promise<string[]> {
  const rows = await tx.selectFrom('bookedDays').select('day').where('adId', '=', adId).execute();
  return rows.map(({ day }) => day);
}

export async function freeDays(tx: Tx, adId: number): Promise<void> {
  await tx.deleteFrom('bookedDays').where('adId', '=', adId).execute();
}

/** Writes in `ads`, which server/ads/store.ts owns: the start of an ad and its days are decided together. */
export async function writeChosenStart(tx: Tx, adId: number, day: string | null): Promise<void> {
  await tx.updateTable('ads').set({ chosenStart: day }).where('id', '=', adId).execute();
}

/** A zone that is not deleted, with its owner and whether it is offered. */
export function findZone(tx: Tx, ref: Reference) {
  return tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .select(['adZones.id', 'adZones.publicId', 'adZones.slots', 'adZones.name as zoneName'])
    .select(['websites.userId as ownerId', 'websites.shownName as websiteName'])
    .select(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`.as('isOffered'))
    .where((eb) => ('id' in ref ? eb('adZones.id', '=', ref.id) : eb('adZones.publicId', '=', ref.publicId)))
    .where('adZones.deletedAt', 'is', null)
    .executeTakeFirst();
}

/**
 * The days of the unended ads by the day of a zone, from `today` on. An unpaid ad without a start has none, and an
 * unapproved one has few.
 */
const openAds = (zoneId: number, today: string) => sql`(
  select d.* from (
    select a.id, a.status, a.title,
        greatest(coalesce((a.start_date at time zone 'utc')::date, a.chosen_start), ${today}::date) as first,
        coalesce(((a.end_date - interval '1 millisecond') at time zone 'utc')::date + 1,
          a.chosen_start + case a.status
            when 'pending' then least(a.duration, ${MAX_UNAPPROVED_DAYS}) else a.duration end) as until
      from ads a
      where a.ad_zone_id = ${zoneId} and a.pricing_model = 'per_day' and a.status in ('pending', 'approved', 'active')
        and (a.start_date is not null or a.chosen_start is not null)) as d
    where d.first < d.until)`;

/** Locks the ads of a zone that are not over, so that none of them ends while it takes its days. */
export async function lockOpenAds(tx: Tx, zoneId: number): Promise<void> {
  await tx
    .selectFrom('ads')
    .select('id')
    .where('adZoneId', '=', zoneId)
    .where('status', 'in', ['pending', 'approved', 'active'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function listOpenAds(
  tx: Tx,
  zoneId: number,
  today: string,
): Promise<{ id: number; status: string; first: string; until: string }[]> {
  const { rows } = await sql<{ id: number; status: string; first: string; until: string }>`
    select id, status, first, until from ${openAds(zoneId, today)} as a order by first, id`.execute(tx);
  return rows;
}

export type TakenDay = { day: string; held: number; sold: number; titles: string[] };

/** The days from `from` on and before `until` with at least one ad, in order. Past days have none. */
export async function listTakenDays(
  tx: Tx,
  zone: { id: number; slots: number | null },
  { from, until, today }: { from: string; until: string; today: string },
): Promise<TakenDay[]> {
  const taken =
    zone.slots === null
      ? sql`select g::date as day, a.id, a.status, a.title
          from ${openAds(zone.id, today)} as a
          cross join generate_series(greatest(a.first, ${from}::date), least(a.until, ${until}::date) - 1,
            interval '1 day') as g`
      : sql`select b.day, a.id, a.status, a.title
          from booked_days b join ads a on a.id = b.ad_id
          where b.zone_id = ${zone.id} and b.day >= greatest(${from}::date, ${today}::date) and b.day < ${until}::date`;
  const { rows } = await sql<TakenDay>`
    select day, (count(*) filter (where status <> 'active'))::integer as held,
        (count(*) filter (where status = 'active'))::integer as sold, array_agg(title order by id) as titles
      from (${taken}) as t group by day order by day`.execute(tx);
  return rows;
}

/** Forgets the days before `today`, which nobody books any more. */
export async function dropPastDays(tx: Tx, zoneId: number, today: string): Promise<void> {
  await tx.deleteFrom('bookedDays').where('zoneId', '=', zoneId).where('day', '<', today).execute();
}

export async function dropDays(tx: Tx, zoneId: number): Promise<void> {
  await tx.deleteFrom('bookedDays').where('zoneId', '=', zoneId).execute();
}

/** The first day on which more than `slots` are taken. */
export async function firstDayAbove(tx: Tx, zoneId: number, slots: number): Promise<string | null> {
  const row = await tx
    .selectFrom('bookedDays')
    .select('day')
    .where('zoneId', '=', zoneId)
    .groupBy('day')
    .having(({ fn }) => fn.countAll<number>(), '>', slots)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  return row?.day ?? null;
}

/** Numbers the taken slots of each day from 1 on. */
export async function renumberSlots(tx: Tx, zoneId: number): Promise<void> {
  await sql`
    update booked_days b set slot = n.slot
      from (
        select day, ad_id, row_number() over (partition by day order by slot) as slot
          from booked_days where zone_id = ${zoneId}) as n
      where b.zone_id = ${zoneId} and b.day = n.day and b.ad_id = n.ad_id and b.slot <> n.slot`.execute(tx);
}

/** Writes in `ad_zones`, which server/market/inventory/store.ts owns: the calendar guards these columns. */
export async function writeCalendar(
  tx: Tx,
  zoneId: number,
  { slots, blockedDays }: ZoneCalendar,
): Promise<void> {
  await tx.updateTable('adZones').set({ slots, blockedDays }).where('id', '=', zoneId).execute();
}
