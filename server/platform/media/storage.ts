import type { Context } from '../context.ts';
import type { Tx } from '../database/database.ts';
import { conflict } from '../http/errors.ts';
import { sumStored, sumStoredOf } from './store.ts';

const MB = 1024 * 1024;

/**
 * Throws 409 if the account or the server has more bytes of files than it may have. Call it after the file was written in
 * `tx`: the trigger count_stored_bytes then lets one upload at a time pass, so parallel ones cannot exceed a quota. Only
 * the files as they were uploaded count, not the renditions made from them. [DOOR-12]
 */
export async function requireStorage(ctx: Context, tx: Tx, userId: number): Promise<void> {
  const { accountStorageBytes, totalStorageBytes } = ctx.config;
  if ((await sumStoredOf(tx, userId)) > accountStorageBytes) {
    throw conflict(
      `Your account has used the ${accountStorageBytes / MB} MB that it can store. Files that neither your ads nor your library use are removed after a week. Ask the operator if you need more.`,
    );
  }
  if ((await sumStored(tx)) > totalStorageBytes) {
    ctx.log.warn({ totalStorageBytes }, 'an upload was refused, because the quota of the server is used up');
    throw conflict('This server has no room for more files. Please ask its operator to free some space.');
  }
}
