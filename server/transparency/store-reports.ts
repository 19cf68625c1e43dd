import { sql } from 'kysely';
import type { Report, ReportReason } from '#domain/transparency/report.ts';
import type { Tx } from '../db/database.ts';

/** An ad that runs or has run. No visitor can have seen any other ad. */
export async function findShownAd(
  tx: Tx,
  publicId: string,
): Promise<{ id: number; title: string; advertiser: string } | undefined> {
  return await tx
    .selectFrom('ads')
    .select(['id', 'title', sql<string>`advertiser_name(user_id)`.as('advertiser')])
    .where('publicId', '=', publicId)
    .where('status', 'in', ['active', 'completed'])
    .executeTakeFirst();
}

/** Returns whether the report is new. Inserting the same report again changes nothing. */
export async function insertReport(tx: Tx, adId: number, report: Report, createdAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('adReports')
    .values({ ...report, adId, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Stores the hash of the key that the operator's mail contains. */
export async function keepKey(tx: Tx, reportId: string, keyHash: Buffer): Promise<void> {
  await tx.updateTable('adReports').set({ keyHash }).where('id', '=', reportId).execute();
}

/** The reported ad for a key, with the addresses of its advertiser and publisher. */
export async function findReported(
  tx: Tx,
  keyHash: Buffer,
): Promise<
  | {
      adId: number;
      status: string;
      takenDownReason: string | null;
      advertiserEmail: string;
      publisherEmail: string;
    }
  | undefined
> {
  return await tx
    .selectFrom('adReports')
    .innerJoin('ads', 'ads.id', 'adReports.adId')
    .innerJoin('users as advertiser', 'advertiser.id', 'ads.userId')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .where('adReports.keyHash', '=', keyHash)
    .select([
      'ads.id as adId',
      'ads.status',
      'ads.takenDownReason',
      'advertiser.email as advertiserEmail',
      'publisher.email as publisherEmail',
    ])
    .executeTakeFirst();
}

export type ReportRow = { reason: ReportReason; details: string; email: string | null; createdAt: Date };

/** Newest first. */
export async function listReports(tx: Tx, adId: number, limit: number): Promise<ReportRow[]> {
  return await tx
    .selectFrom('adReports')
    .select(['reason', 'details', 'email', 'createdAt'])
    .where('adId', '=', adId)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

export async function countReports(tx: Tx, adId: number, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('adReports')
    .select(sql<string>`count(*)`.as('count'))
    .where('adId', '=', adId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Makes concurrent reports of one ad wait for each other, so that each counts those before it. */
export async function lockReportsOf(tx: Tx, adId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('ad_reports'), ${adId})`.execute(tx);
}

export async function deleteReportsBefore(tx: Tx, instant: Date): Promise<void> {
  await tx.deleteFrom('adReports').where('createdAt', '<', instant).execute();
}
