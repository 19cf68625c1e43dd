import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { IMAGE_PATH, UPLOAD_LIFETIME_MS } from '#domain/media/limits.ts';
import type { Context, Who } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { originalKey } from './keys.ts';
import { deleteNeverStored, insertUpload, selectStored, type StoredUpload } from './store.ts';

/** An address for one file: unguessable, bound to the caller, good for 15 minutes (OP-087). */
export async function openUpload(
  ctx: Context,
  who: Who,
  _input: unknown,
  request: Pick<FastifyRequest, 'host' | 'protocol'>,
): Promise<{ uploadURL: string }> {
  await ctx.limits('upload', { points: 300, seconds: 3600 })(String(who.id));
  const name = randomBytes(16).toString('base64url');
  const now = ctx.now();
  await insertUpload(
    ctx.db,
    { name, userId: who.id, expiresAt: new Date(now.getTime() + UPLOAD_LIFETIME_MS) },
    now,
  );
  return { uploadURL: `${addressFor(request, ctx.config.publicUrl)}/api/uploads/${name}` };
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * PUBLIC_URL; but a developer who opened 127.0.0.1 where it says localhost gets the address that was opened, since
 * a browser does not send the file to the other one.
 */
function addressFor(request: Pick<FastifyRequest, 'host' | 'protocol'>, publicUrl: string): string {
  const asked = URL.parse(`${request.protocol}://${request.host}`);
  const bothHere = asked && LOOPBACK.has(asked.hostname) && LOOPBACK.has(new URL(publicUrl).hostname);
  return bothHere ? asked.origin : publicUrl;
}

/** A stored file of this user; null where the path is unknown, not yet stored, or somebody else's. */
export async function findOwnUpload(tx: Tx, userId: number, path: string): Promise<StoredUpload | null> {
  const upload = (await storedUploads(tx, [path])).get(path);
  return upload?.userId === userId ? upload : null;
}

/** What is shown on other sites. `file` is the last segment of its address: `/m/{file}`. */
export type Rendition = { file: string; contentType: string; width: number; height: number };

/** The renditions of `/ad-images/…` paths; paths that name no stored file are left out. */
export async function renditionOf(tx: Tx, paths: string[]): Promise<Map<string, Rendition>> {
  const renditions = new Map<string, Rendition>();
  for (const [path, { rendition, contentType, width, height }] of await storedUploads(tx, paths)) {
    renditions.set(path, { file: rendition, contentType, width, height });
  }
  return renditions;
}

/** Stored files by their `/ad-images/…` path; what names none is left out. */
export async function storedUploads(tx: Tx, paths: string[]): Promise<Map<string, StoredUpload>> {
  const named = new Map<string, string>();
  for (const path of paths) {
    const name = IMAGE_PATH.exec(path)?.[1];
    if (name) named.set(name, path);
  }
  if (named.size === 0) return new Map();
  const uploads = await selectStored(tx, [...named.keys()]);
  return new Map(uploads.map((upload) => [named.get(upload.name) ?? '', upload]));
}

// A file that began to arrive in the last second of its address is still let in.
const GRACE_MS = 60 * 60 * 1000;

/** Forgets addresses that expired without a file. Returns how many; a job calls it. */
export async function removeStaleUploads(ctx: Context): Promise<number> {
  const names = await deleteNeverStored(ctx.db, new Date(ctx.now().getTime() - GRACE_MS));
  // Bytes are there only if a crash came between storing them and saying so.
  for (const name of names) await ctx.blobs.delete(originalKey(name));
  return names.length;
}
