/** The SQL of the waiting list. */
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { DB } from '#server/platform/database/tables.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { WaitingList } from '#server/platform/database/tables.ts';

const OPEN = ['waiting', 'offered'] as const;

/** Entries with the names of their zone, and their place among the open entries of the zone that want one of their days. */
function entries(tx: Tx) {
  return tx
    .selectFrom('waitingList as w')
    .innerJoin('adZones', 'adZones.id', 'w.zoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .selectAll('w')
    .select([
      'adZones.publicId as adZonePublicId',
      'adZones.name as adZoneName',
      'websites.publicId as websitePublicId',
      'websites.shownName as websiteName',
      sql<number>`(
        select count(*)::integer + 1 from waiting_list e
          where e.zone_id = w.zone_id and e.id < w.id and e.state in ('waiting', 'offered')
            and e.start_day < w.end_day and w.start_day < e.end_day)`.as('position'),
    ]);
}

export type EntryRow = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>>;

export function findEntry(tx: Tx, id: number): Promise<EntryRow> {
  return entries(tx).where('w.id', '=', id).executeTakeFirstOrThrow();
}

/** Newest first, with ids below `before`. */
export function listEntries(
  tx: Tx,
  userId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<EntryRow[]> {
  return entries(tx)
    .where('w.userId', '=', userId)
    .$if(before !== null, (query) => query.where('w.id', '<', before as number))
    .orderBy('w.id', 'desc')
    .limit(limit)
    .execute();
}

export async function countOpenEntries(tx: Tx, userId: number): Promise<number> {
  const { n } = await tx
    .selectFrom('waitingList')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('userId', '=', userId)
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow();
  return n;
}

export type WantedDays = { zoneId: number; userId: number; first: string; until: string };

const ofSamePerson =
  ({ zoneId, userId, first, until }: WantedDays) =>
  (eb: ExpressionBuilder<DB, 'waitingList'>) =>
    eb.and([
      eb('zoneId', '=', zoneId),
      eb('userId', '=', userId),
      eb('state', 'in', OPEN),
      eb('startDay', '<', until),
      eb('endDay', '>', first),
    ]);

/** Whether this person waits for one of these days already. */
export async function isWaiting(tx: Tx, wanted: WantedDays): Promise<boolean> {
  const row = await tx.selectFrom('waitingList').select('id').where(ofSamePerson(wanted)).executeTakeFirst();
  return row !== undefined;
}

export async function insertEntry(
  tx: Tx,
  entry: WantedDays & { productId: number; quantity: number },
  at: Date,
): Promise<number> {
  const { zoneId, userId, productId, quantity, first, until } = entry;
  const { id } = await tx
    .insertInto('waitingList')
    .values({
      zoneId,
      userId,
      productId,
      quantity,
      startDay: first,
      endDay: until,
      createdAt: at,
      changedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends the entries of a person who has booked one of the days that they wait for. Returns how many. */
export async function markBooked(tx: Tx, booked: WantedDays, at: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('waitingList')
    .set({ state: 'booked', changedAt: at })
    .where(ofSamePerson(booked))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The zone of a person's own entry. */
export function findOwnEntry(tx: Tx, id: number, userId: number): Promise<{ zoneId: number } | undefined> {
  return tx
    .selectFrom('waitingList')
    .select('zoneId')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
}

export async function deleteEntry(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('waitingList').where('id', '=', id).execute();
}

export async function deleteEntriesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('waitingList').where('userId', '=', userId).execute();
}

/** Ends offers that were not taken up in time, and entries whose first day is past: those of one zone, or all. */
export async function expireEntries(tx: Tx, at: Date, today: string, zoneId?: number): Promise<void> {
  await tx
    .updateTable('waitingList')
    .set({ state: 'expired', changedAt: at })
    .$if(zoneId !== undefined, (query) => query.where('zoneId', '=', zoneId as number))
    .where('state', 'in', OPEN)
    .where((eb) =>
      eb.or([
        eb('startDay', '<', today),
        eb.and([eb('state', '=', 'offered'), eb('offeredUntil', '<=', at)]),
      ]),
    )
    .execute();
}

/** Zones with ids above `after` that sell ads and for which somebody waits, ascending. */
export async function listZonesWaitedFor(tx: Tx, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select z.id
      from (select distinct zone_id from waiting_list where state = 'waiting' and zone_id > ${after}) as w
      join ad_zones z on z.id = w.zone_id
      join websites on websites.id = z.website_id
      join users publisher on publisher.id = websites.user_id
      where is_zone_offered(z, websites, publisher)
      order by z.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export type WaitingRow = Selectable<WaitingList>;

/** The entries of a zone that wait, the longest-waiting first. */
export function listQueue(tx: Tx, zoneId: number): Promise<WaitingRow[]> {
  return tx
    .selectFrom('waitingList')
    .selectAll()
    .where('zoneId', '=', zoneId)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .execute();
}

export async function markOffered(tx: Tx, id: number, at: Date, offeredUntil: Date): Promise<void> {
  await tx
    .updateTable('waitingList')
    .set({ state: 'offered', offeredUntil, changedAt: at })
    .where('id', '=', id)
    .execute();
}

/** Deletes entries that ended at `before` or earlier. */
export async function deleteEndedEntries(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom('waitingList')
    .where('state', 'in', ['booked', 'expired'])
    .where('changedAt', '<=', before)
    .execute();
}

/** An active pricing option of a zone. */
export function findProduct(tx: Tx, zoneId: number, productId: number) {
  return tx
    .selectFrom('adZoneProducts')
    .select(['id', 'duration', 'price', 'minQuantity', 'maxQuantity', 'step', 'volumePrices'])
    .where('id', '=', productId)
    .where('adZoneId', '=', zoneId)
    .where('isActive', '=', true)
    .executeTakeFirst();
}

/** The mail address of a person, if they want mail about their campaigns. */
export async function mailAddressOf(tx: Tx, userId: number): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .select(['users.email'])
    .where('users.id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('userSettings.emailNotifications', 'is', null),
        eb('userSettings.emailNotifications', '=', true),
      ]),
    )
    .executeTakeFirst();
  return row?.email ?? null;
}
