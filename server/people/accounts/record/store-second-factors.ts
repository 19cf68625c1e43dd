import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** Starts the set-up, or starts it again. Returns false if the second factor is already on. */
export async function beginFactor(tx: Tx, userId: number, secret: Buffer, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('secondFactors')
    .values({ userId, secret, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ secret, createdAt: now, lastStep: 0 })
        .where('secondFactors.confirmedAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findFactor(tx: Tx, userId: number) {
  return await tx
    .selectFrom('secondFactors')
    .select(['secret', 'confirmedAt'])
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/**
 * Turns the second factor on. The secret is compared, so that a code for an earlier set-up does not turn on a later
 * one. Returns false if there is nothing to turn on.
 */
export async function confirmFactor(
  tx: Tx,
  userId: number,
  { secret, step, now }: { secret: Buffer; step: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('secondFactors')
    .set({ confirmedAt: now, lastStep: step })
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .where('secret', '=', secret)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks the next factors by the number of their user. Leaves out those that another transaction has locked. */
export async function lockFactorsAfter(tx: Tx, userId: number, limit: number) {
  return await tx
    .selectFrom('secondFactors')
    .select(['userId', 'secret'])
    .where('userId', '>', userId)
    .orderBy('userId')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function readFactors(tx: Tx) {
  return await tx.selectFrom('secondFactors').select(['userId', 'secret']).execute();
}

/** Replaces sealed secrets by others with the same content. The caller holds the locks on the rows. */
export async function updateSecrets(
  tx: Tx,
  factors: readonly { userId: number; secret: Buffer }[],
): Promise<void> {
  const ids = factors.map(({ userId }) => userId);
  const secrets = factors.map(({ secret }) => secret);
  await sql`
    update second_factors f set secret = r.secret
      from unnest(${ids}::integer[], ${secrets}::bytea[]) as r (user_id, secret)
      where f.user_id = r.user_id`.execute(tx);
}

/** Uses a time step. Returns false if it, or a later one, was used before. */
export async function takeStep(tx: Tx, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('secondFactors')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Uses a recovery code. Returns false if it is unknown or used. */
export async function takeRecoveryCode(
  tx: Tx,
  userId: number,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recoveryCodes')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await tx
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ userId, codeHash })))
    .execute();
}

export async function countRecoveryCodes(tx: Tx, userId: number): Promise<number> {
  const { left } = await tx
    .selectFrom('recoveryCodes')
    .select((row) => row.fn.countAll<string>().as('left'))
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Returns false if the second factor was off and no set-up had begun. */
export async function deleteFactor(tx: Tx, userId: number): Promise<boolean> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  const { numDeletedRows } = await tx
    .deleteFrom('secondFactors')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
