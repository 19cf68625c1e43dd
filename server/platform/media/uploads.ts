import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { IMAGE_PATH, UPLOAD_LIFETIME_MS } from '#domain/media/limits.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { type Caller, type Context, personOf } from '../context.ts';
import type { Tx } from '../database/database.ts';
import { enqueue } from '../database/job-queue.ts';
import { lockLiveAccount } from '../http/limits/quotas.ts';
import {
  deleteNeverStored,
  deleteUpload,
  insertUpload,
  lockFilesToCheck,
  markChecked,
  selectStored,
  selectUsed,
  type StoredUpload,
} from './store.ts';

/** Creates an unguessable address for one file of the caller. It expires after 15 minutes. [OP-087] */
export async function openUpload(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: Pick<FastifyRequest, 'host'>,
): Promise<{ uploadURL: string }> {
  await ctx.limits('upload', { points: 300, seconds: 3600 })(String(personOf(who)));
  const name = randomBytes(16).toString('base64url');
  const now = ctx.realNow();
  const upload = { name, userId: who.id, expiresAt: new Date(now.getTime() + UPLOAD_LIFETIME_MS) };
  await ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    await insertUpload(tx, upload, now);
  });
  return { uploadURL: `${addressFor(request, ctx.config.publicUrl)}/api/uploads/${name}` };
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns PUBLIC_URL, except for a developer who opened 127.0.0.1 instead of localhost or the reverse. They get the
 * address that they opened, because the browser refuses an upload to another origin.
 */
function addressFor({ host }: Pick<FastifyRequest, 'host'>, publicUrl: string): string {
  // A proxy may end TLS, so the request does not say which protocol the browser uses.
  const opened = URL.parse(`${new URL(publicUrl).protocol}//${host}`);
  const bothLocal = opened && LOOPBACK.has(opened.hostname) && LOOPBACK.has(new URL(publicUrl).hostname);
  return bothLocal ? opened.origin : publicUrl;
}

/**
 * Finds a file that the caller puts to use in the transaction `tx`, so it is not removed as unused before that ends.
 * Returns null if the path is unknown, the file is not stored yet, or it belongs to another user.
 */
export async function findOwnUpload(tx: Tx, userId: number, path: string): Promise<StoredUpload | null> {
  const upload = (await storedUploads(tx, [path], true)).get(path);
  return upload?.userId === userId ? upload : null;
}

/** The file that is shown on other sites, at `/m/{file}`. Width and height in pixels. */
export type Rendition = { file: string; contentType: string; width: number; height: number };

/** Returns the renditions by their `/ad-images/…` paths. Leaves out paths of files that are not stored. */
export async function renditionOf(tx: Tx, paths: string[]): Promise<Map<string, Rendition>> {
  const renditions = new Map<string, Rendition>();
  for (const [path, { rendition, contentType, width, height }] of await storedUploads(tx, paths)) {
    renditions.set(path, { file: rendition, contentType, width, height });
  }
  return renditions;
}

/** Returns stored files by their `/ad-images/…` paths. Leaves out paths of files that are not stored. */
export async function storedUploads(
  tx: Tx,
  paths: string[],
  keep = false,
): Promise<Map<string, StoredUpload>> {
  const named = new Map<string, string>();
  for (const path of paths) {
    const name = IMAGE_PATH.exec(path)?.[1];
    if (name) named.set(name, path);
  }
  if (named.size === 0) return new Map();
  const uploads = await selectStored(tx, [...named.keys()], keep);
  return new Map(uploads.map((upload) => [named.get(upload.name) ?? '', upload]));
}

// A file that started to arrive just before its address expired may still be on its way.
const GRACE_MS = HOUR_MS;

/** Removes upload addresses that expired without a file. Returns their number. */
export async function removeStaleUploads(ctx: Context): Promise<number> {
  const instant = new Date(ctx.realNow().getTime() - GRACE_MS);
  return await ctx.db.transaction().execute(async (tx) => {
    const uploads = await deleteNeverStored(tx, instant);
    // Its files exist if the server or the file storage failed while they were written.
    for (const { name, rendition } of uploads)
      if (rendition !== null) await enqueue(tx, 'remove-files', { name, rendition });
    return uploads.length;
  });
}

/** A form may stay open for days between the upload and the ad. */
const UNUSED_KEPT_MS = 7 * DAY_MS;
const CHECKED_AT_ONCE = 200;

/**
 * Removes files that no ad and no library has used for a week. Returns their number. Each file is checked once a week, so
 * that the job does not look at all files every minute. [DOOR-12]
 */
export async function removeUnusedUploads(ctx: Context): Promise<number> {
  const now = ctx.realNow();
  return await ctx.db.transaction().execute(async (tx) => {
    const files = await lockFilesToCheck(tx, later(now, -UNUSED_KEPT_MS), CHECKED_AT_ONCE);
    if (files.length === 0) return 0;
    // A statement of its own: it sees uses that were committed while the files were being locked.
    const used = await selectUsed(
      tx,
      files.map(({ name }) => name),
    );
    if (used.size > 0) await markChecked(tx, [...used], now);
    const unused = files.filter(({ name }) => !used.has(name));
    for (const file of unused) {
      await deleteUpload(tx, file.name);
      await enqueue(tx, 'remove-files', file);
    }
    return unused.length;
  });
}
