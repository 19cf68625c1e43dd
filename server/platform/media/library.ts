import type { Parsed } from '#domain/endpoint.ts';
import type { listMedia, MediaItem, saveMedia as saveMediaCall } from '#domain/media/contract.ts';
import { VIDEO_TYPE } from '#domain/media/limits.ts';
import { countMediaUses, selectMedia, upsertMedia } from './store.ts';
import type { Context, Caller } from '../context.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { invalid, notFound } from '../http/errors.ts';
import type { Page } from '../http/route.ts';
import { lockLiveAccount } from '../http/limits/quotas.ts';
import { findOwnUpload } from './uploads.ts';
import { mediaReply } from './reply.ts';

const DEFAULT_LIMIT = 100;

export async function listLibrary(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listMedia>,
): Promise<Page<MediaItem>> {
  const { cursor, limit = DEFAULT_LIMIT } = query;
  const rows = await selectMedia(ctx.db, who.id, { before: decodeCursor(cursor), limit: limit + 1 });
  const { items, next } = pageOf(rows, limit);
  const uses = await countMediaUses(ctx.db, who.id);
  return { items: items.map((item) => mediaReply(item, uses.get(item.imagePath) ?? 0)), next };
}

/** Saves an image that the caller uploaded. The size comes from the stored file, not from the body. [OP-089] */
export async function saveToLibrary(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof saveMediaCall>,
): Promise<MediaItem> {
  const saved = await ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const upload = await findOwnUpload(tx, who.id, body.imagePath);
    if (!upload) throw notFound('Image not found. Please upload it first.');
    if (upload.contentType === VIDEO_TYPE)
      throw invalid('The library holds images only. Choose an image.', 'imagePath');
    const item = {
      userId: who.id,
      imagePath: body.imagePath,
      filename: body.filename,
      fileSize: upload.byteSize,
    };
    return await upsertMedia(tx, item, ctx.now());
  });
  const uses = await countMediaUses(ctx.db, who.id);
  return mediaReply(saved, uses.get(saved.imagePath) ?? 0);
}
