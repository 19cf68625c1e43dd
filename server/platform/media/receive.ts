import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { UploadedFile } from '#domain/media/contract.ts';
import {
  IMAGE_PATH,
  imagePathOf,
  MAX_IMAGE_BYTES,
  MAX_VIDEO_BYTES,
  VIDEO_TYPE,
} from '#domain/media/limits.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database/database.ts';
import { enqueue } from '../database/job-queue.ts';
import { conflict, notFound, tooLarge } from '../http/errors.ts';
import { whileArriving } from './arrivals.ts';
import { checkFile, IMAGE_TOO_LARGE, VIDEO_TOO_LARGE } from './check.ts';
import { originalKey, renditionKey } from './keys.ts';
import { readAtMost } from './read-body.ts';
import {
  lockUpload,
  markStored,
  selectUpload,
  type StoredColumns,
  type UploadRow,
  writeReserved,
  sumStored,
  sumStoredOf,
} from './store.ts';
import { uploadReply } from './reply.ts';

/**
 * Receives the one file of an upload address. Any client that knows the address may use it once, until it expires. The
 * file is stored completely or not at all. Of several parallel files the first to be stored wins. Throws 404 for an
 * unknown or expired address, 409 for a used one, 429 for too many parallel uploads, and the errors of `checkFile`.
 */
export async function receiveFile(
  ctx: Context,
  name: string,
  file: { body: Readable; declaredType: string; declaredLength: number },
): Promise<UploadedFile> {
  if (!IMAGE_PATH.test(imagePathOf(name))) throw unknownAddress();
  // A file is in time if it starts to arrive before the address expires, however slow the connection is.
  const began = ctx.realNow();
  const upload = await selectUpload(ctx.db, name);
  assertOpen(upload, began);
  // The declared type only chooses the limit while reading. `checkFile` decides by the content.
  const isVideo = file.declaredType === VIDEO_TYPE;
  const limit = isVideo ? MAX_VIDEO_BYTES : MAX_IMAGE_BYTES;
  const sizeError = tooLarge(isVideo ? VIDEO_TOO_LARGE : IMAGE_TOO_LARGE);
  if (file.declaredLength > limit) throw sizeError;
  // A chunked body declares no length.
  return whileArriving(ctx.config, upload.userId, file.declaredLength || limit, async () => {
    const bytes = await readAtMost(file.body, limit);
    if (bytes === null) throw sizeError;
    return storeFile(ctx, name, began, bytes);
  });
}

/**
 * Checks the file of an open upload address and stores it, completely or not at all. The row is reserved for this file
 * before its bytes travel, and marked as stored afterwards, so no lock is held meanwhile (docs/decisions/047-decoder-processes.md).
 */
export async function storeFile(
  ctx: Context,
  name: string,
  began: Date,
  bytes: Buffer,
): Promise<UploadedFile> {
  const { rendition: shown, ...checked } = await checkFile(ctx.decoders, bytes);
  const { contentType, width, height, durationMs } = checked;
  // Equal for equal files of one address only, so each upload has files of its own, which are removed with it.
  const hash = createHash('sha256').update(`${name}:`).update(bytes).digest('hex');
  const rendition = `${hash}.${shown.extension}`;
  const columns = { contentType, width, height, durationMs, byteSize: bytes.length, rendition };
  await ctx.db.transaction().execute((tx) => reserve(ctx, tx, name, began, columns));
  await ctx.blobs.put(renditionKey(rendition), shown.bytes);
  if (contentType !== VIDEO_TYPE) await ctx.blobs.put(originalKey(name), bytes);
  const isOpen = await ctx.db.transaction().execute(async (tx) => {
    const upload = await lockUpload(tx, name);
    if (!upload) {
      // The account was deleted meanwhile. Its job may have looked for the files before they were written.
      await enqueue(tx, 'remove-files', { name, rendition });
      return false;
    }
    assertOpen(upload, began, rendition);
    await markStored(tx, name, ctx.realNow());
    return true;
  });
  if (!isOpen) throw unknownAddress();
  return uploadReply(name, columns);
}

/** Keeps the address and the bytes of the quota for this file. Only the same file can be sent there again. */
async function reserve(
  ctx: Context,
  tx: Tx,
  name: string,
  began: Date,
  columns: StoredColumns,
): Promise<void> {
  const upload = await lockUpload(tx, name);
  assertOpen(upload, began, columns.rendition);
  await writeReserved(tx, name, columns);
  await requireStorage(ctx, tx, upload.userId);
}

function assertOpen(
  upload: UploadRow | undefined,
  began: Date,
  rendition?: string,
): asserts upload is UploadRow {
  const isOthers = rendition !== undefined && ![null, rendition].includes(upload?.rendition ?? null);
  if (upload?.storedAt || isOthers)
    throw conflict('This upload address has already been used. Please start the upload again.');
  if (!upload || upload.expiresAt <= began) throw unknownAddress();
}

function unknownAddress() {
  return notFound('This upload address is invalid or has expired. Please start the upload again.');
}

const MB = 1024 * 1024;

/**
 * Throws 409 if the account or the server has more bytes of files than it may have. Call it after the file was written in
 * `tx`: the trigger count_stored_bytes then lets one upload at a time pass, so parallel ones cannot exceed a quota. Only
 * the files as they were uploaded count, not the renditions made from them. [DOOR-12]
 */
export async function requireStorage(ctx: Context, tx: Tx, userId: number): Promise<void> {
  const { accountStorageBytes, totalStorageBytes } = ctx.config;
  if ((await sumStoredOf(tx, userId)) > accountStorageBytes) {
    throw conflict(
      `Your account has used the ${accountStorageBytes / MB} MB that it can store. Files that neither your ads nor your library use are removed after a week. Ask the operator if you need more.`,
    );
  }
  if ((await sumStored(tx)) > totalStorageBytes) {
    ctx.log.warn({ totalStorageBytes }, 'an upload was refused, because the quota of the server is used up');
    throw conflict('This server has no room for more files. Please ask its operator to free some space.');
  }
}
