import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MAX_PICTURE_BYTES, PICTURE_SIDE } from '#domain/accounts/picture.ts';
import type { Context } from '../context.ts';
import { invalid, tooLarge, wrongKind } from '../http/errors.ts';
import { whileArriving } from './arrivals.ts';
import { decoding } from './check.ts';
import { squareImage } from './image.ts';
import { avatarKey } from './keys.ts';
import { kindOf } from './kinds.ts';
import { readAtMost } from './read-body.ts';
import { type FileAnswer, openFile } from './serve.ts';

export type Avatar = { name: string; bytes: Uint8Array };

const CONTENT_TYPE = 'image/webp';

/**
 * Reads a profile picture. It decodes the whole file and encodes a small square, so that no byte of the file itself is
 * kept. It stores nothing yet. Throws 400, 413 and 415 like uploads for ads. [ACCT-05]
 */
export async function readAvatar(
  ctx: Context,
  userId: number,
  file: { body: Readable; declaredLength: number },
): Promise<Avatar> {
  const sizeError = tooLarge('The image is too large. Choose one of up to 5 MB.');
  if (file.declaredLength > MAX_PICTURE_BYTES) throw sizeError;
  return await whileArriving(ctx.config, userId, file.declaredLength || MAX_PICTURE_BYTES, async () => {
    const sent = await readAtMost(file.body, MAX_PICTURE_BYTES);
    if (sent === null) throw sizeError;
    if (sent.length === 0) throw invalid('The file is empty. Choose another one.');
    const kind = kindOf(sent);
    if (kind === null || kind === 'mp4') throw wrongKind('Choose a JPEG, PNG or GIF image.');
    const bytes = await decoding(() => squareImage(sent, kind, PICTURE_SIDE));
    // The user id is part of the hash, so that equal pictures of two users are two files. Each can be deleted with its
    // user.
    const hash = createHash('sha256').update(`${userId}:`).update(bytes).digest('hex');
    return { name: `${hash}.webp`, bytes };
  });
}

export async function storeAvatar(ctx: Context, { name, bytes }: Avatar): Promise<void> {
  await ctx.blobs.put(avatarKey(name), bytes);
}

export async function deleteAvatar(ctx: Context, name: string): Promise<void> {
  await ctx.blobs.delete(avatarKey(name));
}

/** Returns the picture as a `data:` address for the export, or null if the file is missing. */
export async function avatarAsData(ctx: Context, name: string): Promise<string | null> {
  const file = await ctx.blobs.read(avatarKey(name));
  return file && `data:${CONTENT_TYPE};base64,${(await buffer(file.stream)).toString('base64')}`;
}

/** Opens the file of `GET /avatars/{name}`. Returns null if it does not exist. */
export async function openAvatar(ctx: Context, name: string): Promise<FileAnswer | null> {
  return AVATAR_NAME.test(name) ? await openFile(ctx, avatarKey(name), CONTENT_TYPE, undefined) : null;
}

const AVATAR_NAME = /^[0-9a-f]{64}\.webp$/;
