/** Small square pictures: those of people and of websites. */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MAX_PICTURE_BYTES, PICTURE_SIDE } from '#domain/media/picture.ts';
import type { Context } from '../context.ts';
import { enqueueIn } from '../database/job-queue.ts';
import { kindOf } from '../decoding/kinds.ts';
import { invalid, tooLarge, wrongKind } from '../http/errors.ts';
import { whileArriving } from './arrivals.ts';
import { refused } from './check.ts';
import { avatarKey, sitePictureKey } from './keys.ts';
import { readAtMost } from './read-body.ts';
import { type FileAnswer, openFile } from './serve.ts';

/** The person or the website that a picture belongs to. */
export type PictureOwner = { of: 'person' | 'website'; id: number };

export type SquarePicture = { owner: PictureOwner; name: string; bytes: Uint8Array };

const KEYS: Record<PictureOwner['of'], (name: string) => string> = {
  person: avatarKey,
  website: sitePictureKey,
};

const CONTENT_TYPE = 'image/webp';

/**
 * Receives a picture that the account uploads. It stores nothing yet. Throws 400, 413, 415 and 429 like uploads for ads.
 */
export async function readPicture(
  ctx: Context,
  userId: number,
  owner: PictureOwner,
  file: { body: Readable; declaredLength: number },
): Promise<SquarePicture> {
  if (file.declaredLength > MAX_PICTURE_BYTES) throw imageTooLarge();
  return await whileArriving(ctx.config, userId, file.declaredLength || MAX_PICTURE_BYTES, async () => {
    const sent = await readAtMost(file.body, MAX_PICTURE_BYTES);
    if (sent === null) throw imageTooLarge();
    return await cropPicture(ctx, owner, sent);
  });
}

/**
 * Decodes the whole file and encodes a small square, so that no byte of the file itself is kept. Throws 400 for an empty
 * file, 413 for too many pixels, 415 for a damaged one or one of another kind, and 422
 * for one that takes too long to decode.
 */
export async function cropPicture(
  { decoders }: Pick<Context, 'decoders'>,
  owner: PictureOwner,
  file: Buffer,
): Promise<SquarePicture> {
  if (file.length === 0) throw invalid('The file is empty. Choose another one.');
  const kind = kindOf(file);
  if (kind === null || kind === 'mp4') throw wrongKind('Choose a JPEG, PNG or GIF image.');
  const { bytes } = await refused(decoders.decode('square', file, { kind, side: PICTURE_SIDE }));
  // A name is never used again, so that a picture can be removed while another one is stored.
  return { owner, name: `${randomBytes(32).toString('hex')}.webp`, bytes };
}

/** A picture that no row names after this time was not stored completely. */
const UNNAMED_KEPT_S = 3600;

/**
 * Stores a new picture, before the transaction that writes its name into the row of its owner. If that never commits, a
 * job removes the file.
 */
export async function storePicture(ctx: Context, { owner, name, bytes }: SquarePicture): Promise<void> {
  if (owner.of === 'person')
    await enqueueIn(ctx.db, 'remove-avatar', { userId: owner.id, name }, UNNAMED_KEPT_S);
  else await enqueueIn(ctx.db, 'remove-site-picture', { websiteId: owner.id, name }, UNNAMED_KEPT_S);
  await ctx.blobs.put(KEYS[owner.of](name), bytes);
}

export async function deletePicture(ctx: Context, of: PictureOwner['of'], name: string): Promise<void> {
  await ctx.blobs.delete(KEYS[of](name));
}

/** Returns the picture as a `data:` address for the export, or null if the file is missing. */
export async function pictureAsData(
  ctx: Context,
  of: PictureOwner['of'],
  name: string,
): Promise<string | null> {
  const file = await ctx.blobs.read(KEYS[of](name));
  return file && `data:${CONTENT_TYPE};base64,${(await buffer(file.stream)).toString('base64')}`;
}

/** Opens the file of `GET /avatars/{name}` or `GET /site-pictures/{name}`. Returns null if it does not exist. */
export async function openPicture(
  ctx: Context,
  of: PictureOwner['of'],
  name: string,
): Promise<FileAnswer | null> {
  return PICTURE_NAME.test(name) ? await openFile(ctx, KEYS[of](name), CONTENT_TYPE, undefined) : null;
}

const PICTURE_NAME = /^[0-9a-f]{64}\.webp$/;

function imageTooLarge() {
  return tooLarge('The image is too large. Choose one of up to 5 MB.');
}
