import { type Selectable, sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import type { MediaLibrary, Uploads } from '../database/tables.ts';

export type UploadRow = Selectable<Uploads>;
/** The columns that are set together when the file is stored. */
export type StoredColumns = {
  contentType: NonNullable<UploadRow['contentType']>;
  byteSize: number;
  width: number;
  height: number;
  durationMs: number | null;
  rendition: string;
};
export type StoredUpload = UploadRow & StoredColumns;
export type MediaRow = Selectable<MediaLibrary>;

export async function insertUpload(
  tx: Tx,
  upload: { name: string; userId: number; expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('uploads')
    .values({ ...upload, createdAt: now })
    .execute();
}

export function selectUpload(tx: Tx, name: string): Promise<UploadRow | undefined> {
  return tx.selectFrom('uploads').selectAll().where('name', '=', name).executeTakeFirst();
}

export function lockUpload(tx: Tx, name: string): Promise<UploadRow | undefined> {
  return tx.selectFrom('uploads').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
}

/** Describes a file that is not stored yet. Its bytes count at once. */
export async function writeReserved(tx: Tx, name: string, file: StoredColumns): Promise<void> {
  await tx.updateTable('uploads').set(file).where('name', '=', name).where('storedAt', 'is', null).execute();
}

export async function markStored(tx: Tx, name: string, now: Date): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ storedAt: now })
    .where('name', '=', name)
    .where('storedAt', 'is', null)
    .execute();
}

/**
 * Leaves out upload addresses whose file has not been stored. With `keep`, the files are not removed before the
 * transaction ends.
 */
export function selectStored(tx: Tx, names: string[], keep = false): Promise<StoredUpload[]> {
  return tx
    .selectFrom('uploads')
    .selectAll()
    .where('name', 'in', names)
    .where('storedAt', 'is not', null)
    .$if(keep, (query) => query.forKeyShare())
    .$castTo<StoredUpload>()
    .execute();
}

/** Bytes of all stored files of a user. */
export async function sumStoredOf(tx: Tx, userId: number): Promise<number> {
  const { bytes } = await tx
    .selectFrom('uploads')
    .select(({ fn }) => fn.sum<string | null>('byteSize').as('bytes'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Bytes of all stored files. */
export async function sumStored(tx: Tx): Promise<number> {
  const { bytes } = await tx.selectFrom('storedBytes').select('bytes').executeTakeFirstOrThrow();
  return bytes;
}

/** Locks files whose use was last checked before `instant`. Skips files that another transaction is putting to use. */
export async function lockFilesToCheck(
  tx: Tx,
  instant: Date,
  limit: number,
): Promise<{ name: string; rendition: string }[]> {
  const checked = sql<Date>`coalesce(checked_at, stored_at)`;
  const rows = await tx
    .selectFrom('uploads')
    .select(['name', 'rendition'])
    .where('storedAt', 'is not', null)
    .where(checked, '<', instant)
    .orderBy(checked)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ name, rendition }) => ({ name, rendition: rendition as string }));
}

/** Those of the files that an ad or the library of their owner uses. */
export async function selectUsed(tx: Tx, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select u.name from uploads u
      where u.name in (${sql.join(names)})
        and (exists (select from ads a
               where a.user_id = u.user_id and '/ad-images/' || u.name in (a.image_url, a.video_url))
          or exists (select from ad_variants v
               where v.image_url = '/ad-images/' || u.name or v.video_url = '/ad-images/' || u.name)
          or exists (select from media_library m
               where m.user_id = u.user_id and m.image_path = '/ad-images/' || u.name and not m.is_deleted))`.execute(
    tx,
  );
  return new Set(rows.map(({ name }) => name));
}

export async function markChecked(tx: Tx, names: string[], checkedAt: Date): Promise<void> {
  await tx.updateTable('uploads').set({ checkedAt }).where('name', 'in', names).execute();
}

/** Returns the names of the files too, which a failed upload may have left. */
export async function deleteNeverStored(
  tx: Tx,
  expiredBefore: Date,
): Promise<{ name: string; rendition: string | null }[]> {
  return await tx
    .deleteFrom('uploads')
    .where('storedAt', 'is', null)
    .where('expiresAt', '<', expiredBefore)
    .returning(['name', 'rendition'])
    .execute();
}

/** Newest first, with ids below `before`. */
export function selectMedia(
  tx: Tx,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<MediaRow[]> {
  return tx
    .selectFrom('mediaLibrary')
    .selectAll()
    .where('userId', '=', userId)
    .where('isDeleted', '=', false)
    .$if(page.before !== null, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** Saving an image again restores its item and updates the file name. */
export function upsertMedia(
  tx: Tx,
  item: { userId: number; imagePath: string; filename: string; fileSize: number },
  now: Date,
): Promise<MediaRow> {
  return tx
    .insertInto('mediaLibrary')
    .values({ ...item, uploadedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'imagePath']).doUpdateSet({ filename: item.filename, isDeleted: false }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function lockUploadsOf(tx: Tx, userId: number): Promise<UploadRow[]> {
  return tx.selectFrom('uploads').selectAll().where('userId', '=', userId).forUpdate().execute();
}

export async function deleteUpload(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('uploads').where('name', '=', name).execute();
}

export async function deleteLibraryOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('mediaLibrary').where('userId', '=', userId).execute();
}

/**
 * Counts how often the user's own ads and their second creatives use each image and video, in any state of the ads. The key is the
 * `/ad-images/…` path or the address on another server. Unused media have no entry. [OP-090]
 */
export async function countMediaUses(tx: Tx, userId: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ url: string; uses: string }>`
    select media.url, count(*) as uses
      from ads
      cross join lateral (
        select ads.image_url, ads.video_url
        union all
        select v.image_url, v.video_url from ad_variants v where v.ad_id = ads.id) as creative
      cross join lateral (values (creative.image_url), (creative.video_url)) as media (url)
      where ads.user_id = ${userId} and media.url is not null
      group by media.url`.execute(tx);
  return new Map(rows.map(({ url, uses }) => [url, Number(uses)]));
}
