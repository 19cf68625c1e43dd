import { randomBytes } from 'node:crypto';
import { imagePathOf, MAX_IMAGE_BYTES, UPLOAD_LIFETIME_MS } from '#domain/media/limits.ts';
import { fetchBytes, FetchError } from '../outbound/fetch-bytes.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { lockLiveAccount } from '../http/limits/quotas.ts';
import { storeFile } from './receive.ts';
import { insertUpload } from './store.ts';

/**
 * Copies an image from another server as an upload of this user, so that it cannot change later and no page loads anything
 * from there. Returns its `/ad-images/…` path, or null if it cannot be read or is no image that can be uploaded. Throws 429.
 */
export async function copyImage(ctx: Context, userId: number, address: string): Promise<string | null> {
  await ctx.limits('copy-image', { points: 60, seconds: 3600 })(String(userId));
  try {
    const { status, bytes, contentType } = await fetchBytes(address, {
      maxBytes: MAX_IMAGE_BYTES,
      timeoutMs: 5000,
      maxRedirects: 3,
      mayFollow: () => true,
      redirectAdvice: '',
      accept: 'image/png, image/jpeg, image/gif',
      allowLocal: ctx.config.developmentMode,
      names: ctx.names,
    });
    if (status !== 200 || !contentType.startsWith('image/')) return null;
    const name = randomBytes(16).toString('base64url');
    const now = ctx.realNow();
    const upload = { name, userId, expiresAt: new Date(now.getTime() + UPLOAD_LIFETIME_MS) };
    await ctx.db.transaction().execute(async (tx) => {
      await lockLiveAccount(tx, userId);
      await insertUpload(tx, upload, now);
    });
    await storeFile(ctx, name, now, bytes);
    return imagePathOf(name);
  } catch (error) {
    if (error instanceof FetchError || (error instanceof HttpError && error.status !== 401)) return null;
    throw error;
  }
}
