/** The SQL of the page views that publishers store. */
import { sql } from 'kysely';
import type { DayViews } from '#domain/analytics/page-views.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** Locks the user's own website, and returns its id. */
export async function lockOwnSite(tx: Tx, ref: Reference, userId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('websites')
    .select('id')
    .where('id' in ref ? 'id' : 'publicId', '=', 'id' in ref ? ref.id : ref.publicId)
    .where('userId', '=', userId)
    .where('archivedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.id;
}

/** Adds days, and replaces those that are there. */
export async function writePageViews(tx: Tx, websiteId: number, days: readonly DayViews[]): Promise<void> {
  await sql`
    insert into site_page_views (website_id, date, page_views)
      select ${websiteId}, d.date, d."pageViews"
        from json_to_recordset(${JSON.stringify(days)}::json) as d (date date, "pageViews" integer)
        order by d.date
      on conflict (website_id, date) do update set page_views = excluded.page_views`.execute(tx);
}

export type StoredDays = { days: number; from: string; to: string };

/** The stored days of a website that has some. */
export async function storedDays(tx: Tx, websiteId: number): Promise<StoredDays> {
  const { rows } = await sql<StoredDays>`
    select count(*)::integer as days, min(date)::text as "from", max(date)::text as "to"
      from site_page_views where website_id = ${websiteId}`.execute(tx);
  return rows[0] as StoredDays;
}

/** All stored days of a website, the earliest first. */
export async function listPageViews(tx: Tx, websiteId: number): Promise<DayViews[]> {
  return await tx
    .selectFrom('sitePageViews')
    .select(['date', 'pageViews'])
    .where('websiteId', '=', websiteId)
    .orderBy('date')
    .execute();
}

export async function removePageViews(tx: Tx, websiteId: number): Promise<void> {
  await tx.deleteFrom('sitePageViews').where('websiteId', '=', websiteId).execute();
}
