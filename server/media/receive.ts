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
import { conflict, notFound, tooLarge } from '../http/errors.ts';
import { whileArriving } from './arrivals.ts';
import { type CheckedFile, checkFile, IMAGE_TOO_LARGE, VIDEO_TOO_LARGE } from './check.ts';
import { originalKey, renditionKey } from './keys.ts';
import { readAtMost } from './read-body.ts';
import { requireStorage } from './storage.ts';
import { lockRendition, lockUpload, selectUpload, type UploadRow, writeStored } from './store.ts';
import { viewUpload } from './view.ts';

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

/** Checks the file of an open upload address and stores it, completely or not at all. */
export async function storeFile(
  ctx: Context,
  name: string,
  began: Date,
  bytes: Buffer,
): Promise<UploadedFile> {
  const checked = await checkFile(ctx.decoders, bytes);
  return ctx.db.transaction().execute(async (tx) => {
    const upload = await lockUpload(tx, name);
    assertOpen(upload, began);
    // The lock on the row keeps other uploads from writing these keys. After a crash the address still works.
    await lockRendition(tx, checked.rendition.name);
    const columns = columnsOf(checked, bytes.length);
    await writeStored(tx, name, columns, ctx.realNow());
    // Before any file is written, so that a refusal leaves none behind.
    await requireStorage(ctx, tx, upload.userId);
    await ctx.blobs.put(renditionKey(checked.rendition.name), checked.rendition.bytes);
    if (checked.contentType !== VIDEO_TYPE) await ctx.blobs.put(originalKey(name), bytes);
    return viewUpload(name, columns);
  });
}

function assertOpen(upload: UploadRow | undefined, began: Date): asserts upload is UploadRow {
  if (upload?.storedAt)
    throw conflict('This upload address has already been used. Please start the upload again.');
  if (!upload || upload.expiresAt <= began) throw unknownAddress();
}

function unknownAddress() {
  return notFound('This upload address is invalid or has expired. Please start the upload again.');
}

function columnsOf(checked: CheckedFile, byteSize: number) {
  const { contentType, width, height, durationMs } = checked;
  return { contentType, byteSize, width, height, durationMs, rendition: checked.rendition.name };
}
