import type { Readable } from 'node:stream';
import type { removePicture, setPicture } from '#domain/accounts/contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { deletePicture, readPicture, storePicture } from '#server/platform/media/square-picture.ts';
import { showUser } from './record/show-user.ts';
import { findUser, lockUser, updateUser, type UserRow } from './record/store.ts';

const ADDRESS = '/avatars/';

/** Returns the last segment of the picture's address, or null. */
export function avatarNameOf({ profileImageUrl }: Pick<UserRow, 'profileImageUrl'>): string | null {
  return profileImageUrl?.startsWith(ADDRESS) ? profileImageUrl.slice(ADDRESS.length) : null;
}

/** If any step fails, the old picture stays. */
export async function setOwnAvatar(
  ctx: Context,
  who: Caller,
  file: { body: Readable; declaredLength: number },
): Promise<Reply<typeof setPicture>> {
  await ctx.limits('picture', { points: 60, seconds: 3600 })(String(personOf(who)));
  const avatar = await readPicture(ctx, who.id, { of: 'person', id: who.id }, file);
  await storePicture(ctx, avatar);
  return await replaceAvatar(ctx, who, ADDRESS + avatar.name);
}

export async function removeOwnAvatar(ctx: Context, who: Caller): Promise<Reply<typeof removePicture>> {
  return await replaceAvatar(ctx, who, null);
}

async function replaceAvatar(ctx: Context, who: Caller, profileImageUrl: string | null) {
  return await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    if (profileImageUrl !== user.profileImageUrl) await dropAvatar(tx, user);
    return await showUser(tx, await updateUser(tx, who.id, { profileImageUrl }, ctx.now()), who.member);
  });
}

/** Queues the removal of the picture's file, which runs after the commit. */
export async function dropAvatar(tx: Tx, user: UserRow): Promise<void> {
  const name = avatarNameOf(user);
  if (name !== null) await enqueue(tx, 'remove-avatar', { userId: user.id, name });
}

/** The job 'remove-avatar'. It keeps the file if it is the picture of the user. */
export async function removeAvatarFile(
  ctx: Context,
  { userId, name }: { userId: number; name: string },
): Promise<void> {
  const user = await findUser(ctx.db, userId);
  if (user && avatarNameOf(user) === name) return;
  await deletePicture(ctx, 'person', name);
}
