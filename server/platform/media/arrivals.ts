import { MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import type { Config } from '../settings/config.ts';
import { tooMany } from '../http/errors.ts';

/** The limit per account. The server holds each file in memory until it has been checked. */
const MAX_BYTES = 4 * MAX_VIDEO_BYTES;

/**
 * Bytes that are being uploaded to this process, by account. Accounts without an upload have no entry. Memory belongs to
 * the process, so this is the state of a module.
 */
const arriving = new Map<number, number>();

/**
 * Runs the work of receiving a file of at most `bytes`. Throws 429 while the account, or all accounts together, are
 * uploading too much, so that they cannot exhaust memory with files that are still arriving or will be refused. [DOOR-12]
 */
export async function whileArriving<T>(
  { uploadMemoryBytes }: Pick<Config, 'uploadMemoryBytes'>,
  userId: number,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const others = arriving.get(userId) ?? 0;
  const all = [...arriving.values()].reduce((sum, each) => sum + each, 0);
  if (others + bytes > MAX_BYTES || all + bytes > uploadMemoryBytes) throw tooMany(5);
  arriving.set(userId, others + bytes);
  try {
    return await work();
  } finally {
    const left = (arriving.get(userId) ?? 0) - bytes;
    if (left > 0) arriving.set(userId, left);
    else arriving.delete(userId);
  }
}
