import { MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import { tooMany } from '../http/errors.ts';

/** The limit per account. The server holds each file in memory until it has been checked. */
const MAX_BYTES = 4 * MAX_VIDEO_BYTES;

/** Bytes that are being uploaded to this instance, by account. Accounts without an upload have no entry. */
const arriving = new Map<number, number>();

/**
 * Runs the work of receiving a file of at most `bytes`. Throws 429 while the account is uploading too much, so that one
 * account cannot exhaust memory with files that are still arriving or will be refused.
 */
export async function whileArriving<T>(userId: number, bytes: number, work: () => Promise<T>): Promise<T> {
  const others = arriving.get(userId) ?? 0;
  if (others + bytes > MAX_BYTES) throw tooMany(5);
  arriving.set(userId, others + bytes);
  try {
    return await work();
  } finally {
    const left = (arriving.get(userId) ?? 0) - bytes;
    if (left > 0) arriving.set(userId, left);
    else arriving.delete(userId);
  }
}
