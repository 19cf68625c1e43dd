import { MAX_VIDEO_BYTES } from '#domain/media/limits.ts';
import { tooMany } from '../http/errors.ts';

/** What one account may have on its way at once: every file is held in memory until it is checked. */
const MAX_BYTES = 4 * MAX_VIDEO_BYTES;

/** Bytes on their way to this copy of the server, by account. Accounts without any have no entry. */
const arriving = new Map<number, number>();

/**
 * Runs the work of taking in a file of at most `bytes`, so that nobody fills the memory with files that wait or will
 * be refused: 429 while too much of the account is under way.
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
