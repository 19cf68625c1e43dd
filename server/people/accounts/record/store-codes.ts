import { sql } from 'kysely';
import { CODE_MAX_TRIES } from '#domain/accounts/codes.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Purpose } from './rules.ts';

// Callers hold the lock on the user's row. Otherwise parallel tries could exceed the limit of a code.

type Key = { email: string; purpose: Purpose };

export async function insertCode(
  tx: Tx,
  row: Key & { code: string; linkHash: Buffer; expiresAt: Date; linkExpiresAt: Date; createdAt: Date },
): Promise<void> {
  await tx.insertInto('emailVerifications').values(row).execute();
}

/** Empties every code and link of the address, or those of one purpose. */
export async function voidCodes(tx: Tx, email: string, purpose?: Purpose): Promise<void> {
  await tx
    .updateTable('emailVerifications')
    .set({ code: null, linkHash: null })
    .where('email', '=', email)
    .where((row) => row.or([row('code', 'is not', null), row('linkHash', 'is not', null)]))
    .$call((query) => (purpose === undefined ? query : query.where('purpose', '=', purpose)))
    .execute();
}

export async function findNewestCode(tx: Tx, { email, purpose }: Key) {
  return await tx
    .selectFrom('emailVerifications')
    .select(['id', 'code', 'tries', 'expiresAt', 'isUsed'])
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** A link works only for the purpose for which it was mailed. */
export async function findCodeByLink(tx: Tx, linkHash: Buffer, purpose: Purpose) {
  return await tx
    .selectFrom('emailVerifications')
    .select(['id', 'email', 'code', 'linkExpiresAt'])
    .where('linkHash', '=', linkHash)
    .where('purpose', '=', purpose)
    .where('isUsed', '=', false)
    .executeTakeFirst();
}

/**
 * Counts a wrong try and returns the number of tries. The last try empties the code. The link in the mail still works
 * afterwards.
 */
export async function countTry(tx: Tx, id: number): Promise<number> {
  const { tries } = await tx
    .updateTable('emailVerifications')
    .set({
      tries: sql<number>`tries + 1`,
      code: sql<string | null>`case when tries + 1 >= ${CODE_MAX_TRIES} then null else code end`,
    })
    .where('id', '=', id)
    .returning('tries')
    .executeTakeFirstOrThrow();
  return tries;
}

/** Returns the number of wrong codes for the address, of both purposes, in codes issued since `since`. */
export async function countFailures(tx: Tx, email: string, since: Date): Promise<number> {
  const { failures } = await tx
    .selectFrom('emailVerifications')
    .select((row) => row.fn.coalesce(row.fn.sum<string>('tries'), sql<string>`0`).as('failures'))
    .where('email', '=', email)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return Number(failures);
}

export async function countIssued(tx: Tx, { email, purpose }: Key, since: Date): Promise<number> {
  const { issued } = await tx
    .selectFrom('emailVerifications')
    .select((row) => row.fn.countAll<string>().as('issued'))
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return Number(issued);
}

/** Whether a mailed link of the address still works. */
export async function hasOpenLink(tx: Tx, { email, purpose }: Key, now: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('emailVerifications')
    .select('id')
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('linkHash', 'is not', null)
    .where('linkExpiresAt', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markCodeUsed(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('emailVerifications')
    .set({ isUsed: true, code: null, linkHash: null })
    .where('id', '=', id)
    .execute();
}

export async function deleteCodesOf(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('emailVerifications').where('email', '=', email).execute();
}

export async function deleteCodesBefore(tx: Tx, instant: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('emailVerifications')
    .where('createdAt', '<', instant)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Copies the hash of the newest valid code of a purpose to `users`, or empties it there. [OP-022] */
export async function mirrorCode(
  tx: Tx,
  userId: number,
  purpose: Purpose,
  mirror: { code: string; expiresAt: Date } | null,
): Promise<void> {
  const code = mirror?.code ?? null;
  const expires = mirror?.expiresAt ?? null;
  await tx
    .updateTable('users')
    .set(
      purpose === 'verify'
        ? { verificationCode: code, verificationCodeExpires: expires }
        : { passwordResetCode: code, passwordResetExpires: expires },
    )
    .where('id', '=', userId)
    .execute();
}
