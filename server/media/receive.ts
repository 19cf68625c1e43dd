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
import { lockRendition, lockUpload, selectUpload, type UploadRow, writeStored } from './store.ts';
import { viewUpload } from './view.ts';

/**
 * Takes the one file of an upload address. Knowing the address is the right to use it, once and in time. The file
 * is stored whole or not at all; where several arrive at once, the first wins and the others are refused (409).
 */
export async function receiveFile(
  ctx: Context,
  name: string,
  file: { body: Readable; declaredType: string; declaredLength: number },
): Promise<UploadedFile> {
  if (!IMAGE_PATH.test(imagePathOf(name))) throw unknownAddress();
  // What began to arrive in time is taken, however long the sender's line takes.
  const began = ctx.now();
  const upload = await selectUpload(ctx.db, name);
  assertOpen(upload, began);
  // The declared type only chooses how much is read; what the file is, its content tells.
  const isVideo = file.declaredType === VIDEO_TYPE;
  const limit = isVideo ? MAX_VIDEO_BYTES : MAX_IMAGE_BYTES;
  const beyond = tooLarge(isVideo ? VIDEO_TOO_LARGE : IMAGE_TOO_LARGE);
  if (file.declaredLength > limit) throw beyond;
  // No length is declared where the body comes in chunks.
  return whileArriving(upload.userId, file.declaredLength || limit, async () => {
    const bytes = await readAtMost(file.body, limit);
    if (bytes === null) throw beyond;
    return store(ctx, name, began, bytes);
  });
}

async function store(ctx: Context, name: string, began: Date, bytes: Buffer): Promise<UploadedFile> {
  const checked = await checkFile(bytes);
  return ctx.db.transaction().execute(async (tx) => {
    assertOpen(await lockUpload(tx, name), began);
    // Under the row's lock: nobody else writes these keys, and a crash leaves an address that still works.
    await lockRendition(tx, checked.rendition.name);
    await ctx.blobs.put(renditionKey(checked.rendition.name), checked.rendition.bytes);
    if (checked.contentType !== VIDEO_TYPE) await ctx.blobs.put(originalKey(name), bytes);
    const columns = columnsOf(checked, bytes.length);
    await writeStored(tx, name, columns, ctx.now());
    return viewUpload(name, columns);
  });
}

function assertOpen(upload: UploadRow | undefined, began: Date): asserts upload is UploadRow {
  if (upload?.storedAt) throw conflict('This upload address has already been used.');
  if (!upload || upload.expiresAt <= began) throw unknownAddress();
}

function unknownAddress() {
  return notFound('This upload address is unknown or has expired.');
}

function columnsOf(checked: CheckedFile, byteSize: number) {
  const { contentType, width, height, durationMs } = checked;
  return { contentType, byteSize, width, height, durationMs, rendition: checked.rendition.name };
}
