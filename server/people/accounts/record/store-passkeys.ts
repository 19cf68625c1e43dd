import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

type NewPasskey = {
  userId: number;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
};

/** Returns null if any account already has this credential. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<PasskeyRow | null> {
  const row = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The oldest first. An account has at most MAX_PASSKEYS. */
export async function selectPasskeys(tx: Tx, userId: number) {
  return await tx.selectFrom('passkeys').selectAll().where('userId', '=', userId).orderBy('id').execute();
}
export type PasskeyRow = Awaited<ReturnType<typeof selectPasskeys>>[number];

export async function findPasskey(tx: Tx, credentialId: string): Promise<PasskeyRow | undefined> {
  return await tx
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
}

/** Whether the passkey still exists, after waiting for a transaction that is removing it. */
export async function lockPasskey(tx: Tx, id: number): Promise<boolean> {
  const row = await tx.selectFrom('passkeys').select('id').where('id', '=', id).forShare().executeTakeFirst();
  return row !== undefined;
}

/**
 * Notes that the passkey was used. Returns false if its counter has not grown, or the passkey is gone. A device without
 * a counter always sends 0.
 */
export async function countUse(
  tx: Tx,
  id: number,
  { counter, now }: { counter: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: now })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns undefined if the user has no such passkey. */
export async function updateName(
  tx: Tx,
  userId: number,
  { id, name }: { id: number; name: string },
): Promise<PasskeyRow | undefined> {
  return await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the name of the removed passkey, or null if the user has no such passkey. */
export async function deletePasskey(tx: Tx, userId: number, id: number): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

export async function deletePasskeysOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('userId', '=', userId).execute();
}

export type Purpose = 'add' | 'sign-in' | 'reauthenticate';

export async function insertChallenge(
  tx: Tx,
  challenge: { challengeHash: Buffer; holderHash: Buffer; purpose: Purpose; expiresAt: Date },
): Promise<void> {
  await tx.insertInto('passkeyChallenges').values(challenge).execute();
}

/** Uses a challenge up. Returns false if it is unknown, used, expired, or belongs to another session or browser. */
export async function deleteChallenge(
  tx: Tx,
  {
    challengeHash,
    holderHash,
    purpose,
    now,
  }: { challengeHash: Buffer; holderHash: Buffer; purpose: Purpose; now: Date },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeyChallenges')
    .where('challengeHash', '=', challengeHash)
    .where('holderHash', '=', holderHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteChallengesBefore(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('passkeyChallenges').where('expiresAt', '<=', now).execute();
}
