/** The picture or logo of a website: uploaded, or copied from the web with its publisher's consent. */
import type { Readable } from 'node:stream';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type {
  removeSitePicture,
  setSitePicture,
  takeSitePicture,
  Website,
} from '#domain/inventory/contract.ts';
import { MAX_PICTURE_BYTES } from '#domain/media/picture.ts';
import { fetchBytes, FetchError } from '#server/platform/outbound/fetch-bytes.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { HttpError, invalid, notFound } from '#server/platform/http/errors.ts';
import {
  cropPicture,
  deletePicture,
  readPicture,
  type SquarePicture,
  storePicture,
} from '#server/platform/media/square-picture.ts';
import { showOwnWebsite } from '../browse.ts';
import { selectOwnWebsite, type WebsiteRow } from '../store.ts';
import { lockOwnWebsite, findWebsite, writeWebsite } from '../store-websites.ts';

const LIMIT = { points: 60, seconds: 3600 };

/** If any step fails, the old picture stays. Throws 404 before it reads the file. */
export async function setOwnSitePicture(
  ctx: Context,
  who: Caller,
  ref: Reference,
  file: { body: Readable; declaredLength: number },
): Promise<Reply<typeof setSitePicture>> {
  await ctx.limits('site-picture', LIMIT)(String(personOf(who)));
  const { id } = await requireOwn(ctx, who, ref);
  return await replace(ctx, who, id, await readPicture(ctx, who.id, { of: 'website', id }, file));
}

/** Throws 400 if the address can't be read, and 413 or 415 if it is no usable image. */
export async function takeOwnSitePicture(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof takeSitePicture>,
): Promise<Reply<typeof takeSitePicture>> {
  await ctx.limits('site-picture', LIMIT)(String(personOf(who)));
  const { id } = await requireOwn(ctx, who, params.ref);
  const file = await readImage(ctx, body.imageUrl);
  return await replace(ctx, who, id, await cropPicture(ctx, { of: 'website', id }, file));
}

export async function removeOwnSitePicture(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof removeSitePicture>,
): Promise<Reply<typeof removeSitePicture>> {
  const { id } = await requireOwn(ctx, who, params.ref);
  return await replace(ctx, who, id, null);
}

/**
 * Returns a picture of the web as a `data:` address, so that no browser calls the website for it. Stores nothing. Returns null
 * if it cannot be read.
 */
export async function showPicture(ctx: Context, imageUrl: string): Promise<string | null> {
  try {
    const picture = await cropPicture(ctx, { of: 'website', id: 0 }, await readImage(ctx, imageUrl));
    return `data:image/webp;base64,${Buffer.from(picture.bytes).toString('base64')}`;
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
}

async function readImage(ctx: Context, imageUrl: string): Promise<Buffer> {
  try {
    const { status, bytes } = await fetchBytes(imageUrl, {
      maxBytes: MAX_PICTURE_BYTES,
      timeoutMs: 5000,
      maxRedirects: 3,
      // The publisher chose this address, so redirects may lead to any host. Each address is checked before it is
      // called.
      mayFollow: () => true,
      redirectAdvice: '',
      accept: 'image/png, image/jpeg, image/gif',
      allowLocal: ctx.config.developmentMode,
      names: ctx.names,
    });
    if (status === 200) return bytes;
    throw invalid(`The picture answered with status ${status}. Upload a file instead.`, 'imageUrl');
  } catch (error) {
    if (error instanceof FetchError) throw invalid(error.message, 'imageUrl');
    throw error;
  }
}

async function requireOwn(ctx: Context, who: Caller, ref: Reference): Promise<WebsiteRow> {
  const website = await selectOwnWebsite(ctx.db, ref, who.id);
  if (!website) throw unknown();
  return website;
}

async function replace(
  ctx: Context,
  who: Caller,
  id: number,
  picture: SquarePicture | null,
): Promise<Website> {
  if (picture) await storePicture(ctx, picture);
  return await ctx.db.transaction().execute(async (tx) => {
    const website = await lockOwnWebsite(tx, { id }, who.id);
    if (!website) throw unknown();
    const name = picture?.name ?? null;
    if (name !== website.picture) await dropSitePicture(tx, website);
    return await showOwnWebsite(ctx, tx, await writeWebsite(tx, id, { picture: name }, ctx.now()));
  });
}

/** Queues the removal of the picture's file, which runs after the commit. */
export async function dropSitePicture(
  tx: Tx,
  { id, picture }: Pick<WebsiteRow, 'id' | 'picture'>,
): Promise<void> {
  if (picture !== null) await enqueue(tx, 'remove-site-picture', { websiteId: id, name: picture });
}

/** The job 'remove-site-picture'. It keeps the file if it is the picture of the website. */
export async function removeSitePictureFile(
  ctx: Context,
  { websiteId, name }: { websiteId: number; name: string },
): Promise<void> {
  const website = await findWebsite(ctx.db, websiteId);
  if (website?.picture === name) return;
  await deletePicture(ctx, 'website', name);
}

function unknown() {
  return notFound('Website not found. Please reload the page.');
}
