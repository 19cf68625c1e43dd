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
 * A person's picture out of the file they send: decoded whole and written anew as a small square, so that nothing of
 * the file itself is kept. Throws 400, 413 and 415 as uploads for ads do (ACCT-05). Nothing is stored yet.
 */
export async function readAvatar(
  userId: number,
  file: { body: Readable; declaredLength: number },
): Promise<Avatar> {
  const beyond = tooLarge('The picture is too large: 5 MB at most.');
  if (file.declaredLength > MAX_PICTURE_BYTES) throw beyond;
  return await whileArriving(userId, file.declaredLength || MAX_PICTURE_BYTES, async () => {
    const sent = await readAtMost(file.body, MAX_PICTURE_BYTES);
    if (sent === null) throw beyond;
    if (sent.length === 0) throw invalid('The file is empty.');
    const kind = kindOf(sent);
    if (kind === null || kind === 'mp4') throw wrongKind('Only JPEG, PNG and GIF pictures can be used.');
    const bytes = await decoding(() => squareImage(sent, kind, PICTURE_SIDE));
    // One person's picture is nobody else's file, even if they look the same: so it goes when the person does.
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

/** As a `data:` address, for the export; null where the file is missing. */
export async function avatarAsData(ctx: Context, name: string): Promise<string | null> {
  const file = await ctx.blobs.read(avatarKey(name));
  return file && `data:${CONTENT_TYPE};base64,${(await buffer(file.stream)).toString('base64')}`;
}

/** The file of `GET /avatars/{name}`; null where there is none. */
export async function openAvatar(ctx: Context, name: string): Promise<FileAnswer | null> {
  return AVATAR_NAME.test(name) ? await openFile(ctx, avatarKey(name), CONTENT_TYPE, undefined) : null;
}

const AVATAR_NAME = /^[0-9a-f]{64}\.webp$/;
