import { type Selectable, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { MediaLibrary, Uploads } from '../db/tables.ts';

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

export async function writeStored(tx: Tx, name: string, file: StoredColumns, now: Date): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ ...file, storedAt: now })
    .where('name', '=', name)
    .where('storedAt', 'is', null)
    .execute();
}

/** Leaves out upload addresses whose file has not been stored. */
export function selectStored(tx: Tx, names: string[]): Promise<StoredUpload[]> {
  return tx
    .selectFrom('uploads')
    .selectAll()
    .where('name', 'in', names)
    .where('storedAt', 'is not', null)
    .$castTo<StoredUpload>()
    .execute();
}

export async function deleteNeverStored(tx: Tx, expiredBefore: Date): Promise<string[]> {
  const rows = await tx
    .deleteFrom('uploads')
    .where('storedAt', 'is', null)
    .where('expiresAt', '<', expiredBefore)
    .returning('name')
    .execute();
  return rows.map(({ name }) => name);
}

export function selectMedia(tx: Tx, userId: number): Promise<MediaRow[]> {
  return tx
    .selectFrom('mediaLibrary')
    .selectAll()
    .where('userId', '=', userId)
    .where('isDeleted', '=', false)
    .orderBy('id', 'desc')
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

/** Keeps other transactions from storing or deleting this rendition until this one ends. */
export async function lockRendition(tx: Tx, rendition: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${rendition}))`.execute(tx);
}

export async function renditionIsUsed(tx: Tx, rendition: string): Promise<boolean> {
  const row = await tx
    .selectFrom('uploads')
    .select('name')
    .where('rendition', '=', rendition)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
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
