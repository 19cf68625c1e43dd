import { imagePathOf } from '#domain/media/limits.ts';
import { countMediaUses, deleteLibraryOf, deleteUpload, lockUploadsOf } from './store.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database/database.ts';
import { enqueue } from '../database/job-queue.ts';
import { originalKey, renditionKey } from './keys.ts';

/**
 * Removes the account's media library, and every upload that none of its ads uses. Jobs delete the files after the
 * commit. Call this after the account's ads were deleted. [OP-037]
 */
export async function removeMediaOf(tx: Tx, userId: number): Promise<void> {
  await deleteLibraryOf(tx, userId);
  const used = await countMediaUses(tx, userId);
  for (const { name, rendition } of await lockUploadsOf(tx, userId)) {
    if (used.has(imagePathOf(name))) continue;
    await deleteUpload(tx, name);
    if (rendition !== null) await enqueue(tx, 'remove-files', { name, rendition });
  }
}

/** The job 'remove-files'. No two uploads share a file (docs/decisions/047-decoder-processes.md). */
export async function removeFiles(ctx: Context, upload: { name: string; rendition: string }): Promise<void> {
  await ctx.blobs.delete(originalKey(upload.name));
  await ctx.blobs.delete(renditionKey(upload.rendition));
}
