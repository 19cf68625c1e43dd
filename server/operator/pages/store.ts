/** The SQL by which operators read and write their pages. server/platform/pages shows them. */
import { type Insertable, sql } from 'kysely';
import type { PageKey } from '#domain/pages.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { PageVersions } from '#server/platform/database/tables.ts';

/** Makes changes wait for each other. Readers do not wait. */
export async function lockPages(tx: Tx): Promise<void> {
  await sql`lock table published_pages in share row exclusive mode`.execute(tx);
}

/** The newest version of each page that has one, and the published one. */
export async function selectPages(tx: Tx) {
  return await tx
    .selectFrom('pageVersions as v')
    .leftJoin('publishedPages as p', 'p.key', 'v.key')
    .distinctOn('v.key')
    .select(['v.key', 'v.version', 'v.savedAt', 'p.version as publishedVersion', 'p.publishedAt'])
    .orderBy('v.key')
    .orderBy('v.version', 'desc')
    .execute();
}

/** The versions of one page, the newest first, without their texts. */
export async function selectVersions(tx: Tx, key: PageKey) {
  return await tx
    .selectFrom('pageVersions as v')
    .leftJoin('publishedPages as p', (join) =>
      join.onRef('p.key', '=', 'v.key').onRef('p.version', '=', 'v.version'),
    )
    .leftJoin('users as u', 'u.id', 'v.savedBy')
    .select(['v.version', 'v.savedAt', 'u.email as savedBy', 'p.publishedAt'])
    .where('v.key', '=', key)
    .orderBy('v.version', 'desc')
    .execute();
}

export async function findText(tx: Tx, key: PageKey, version: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('pageVersions')
    .select('text')
    .where('key', '=', key)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.text;
}

export async function insertVersion(tx: Tx, row: Insertable<PageVersions>): Promise<void> {
  await tx.insertInto('pageVersions').values(row).execute();
}

export async function upsertPublished(
  tx: Tx,
  key: PageKey,
  row: { version: number; publishedAt: Date },
): Promise<void> {
  await tx
    .insertInto('publishedPages')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

/** Returns false if the page is not published. */
export async function deletePublished(tx: Tx, key: PageKey): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('publishedPages').where('key', '=', key).executeTakeFirst();
  return numDeletedRows > 0n;
}
