/** The SQL of invitations to become an operator. */
import { type Insertable, sql } from 'kysely';
import type { OperatorRole } from '#domain/operator/rights.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { OperatorInvitations } from '#server/platform/database/tables.ts';

export type Invitation = {
  id: number;
  /** Null for the link that makes the first operator. */
  email: string | null;
  role: OperatorRole;
  reason: string;
  invitedBy: number | null;
  invitedAt: Date;
  expiresAt: Date;
};

const COLUMNS = ['id', 'email', 'role', 'reason', 'invitedBy', 'invitedAt', 'expiresAt'] as const;

export async function insertInvitation(tx: Tx, row: Insertable<OperatorInvitations>): Promise<number> {
  const { id } = await tx
    .insertInto('operatorInvitations')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends the open invitation of an address, also one that has expired. Null: the links for the first operator. */
export async function endInvitationOf(tx: Tx, email: string | null, at: Date): Promise<void> {
  await tx
    .updateTable('operatorInvitations')
    .set({ endedAt: at })
    .where('email', 'is not distinct from', email)
    .where('endedAt', 'is', null)
    .execute();
}

/** Ends an open invitation, and returns its address. Undefined if there is none with this number. */
export async function endInvitation(
  tx: Tx,
  id: number,
  at: Date,
): Promise<Pick<Invitation, 'email'> | undefined> {
  return await tx
    .updateTable('operatorInvitations')
    .set({ endedAt: at })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning('email')
    .executeTakeFirst();
}

/** The invitation of a token, while it can be accepted. */
export async function findInvitation(tx: Tx, tokenHash: Buffer, at: Date): Promise<Invitation | undefined> {
  return await tx
    .selectFrom('operatorInvitations')
    .select(COLUMNS)
    .$narrowType<{ role: OperatorRole }>()
    .where('tokenHash', '=', tokenHash)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
}

/** Those of an address that can be accepted, newest first. */
export async function listInvitations(tx: Tx, at: Date): Promise<(Invitation & { email: string })[]> {
  return await tx
    .selectFrom('operatorInvitations')
    .select(COLUMNS)
    .$narrowType<{ role: OperatorRole; email: string }>()
    .where('email', 'is not', null)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', at)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

/** All invitations of an address, oldest first, also those that have ended. */
export async function listInvitationsTo(
  tx: Tx,
  email: string,
): Promise<Pick<Invitation, 'role' | 'invitedAt' | 'expiresAt'>[]> {
  return await tx
    .selectFrom('operatorInvitations')
    .select(['role', 'invitedAt', 'expiresAt'])
    .$narrowType<{ role: OperatorRole }>()
    .where('email', '=', email)
    .orderBy('id')
    .execute();
}

export async function deleteInvitationsTo(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('operatorInvitations').where('email', '=', email).execute();
}

/** Deletes those that ended or expired before `at`. */
export async function deleteOldInvitations(tx: Tx, at: Date): Promise<void> {
  await sql`delete from operator_invitations where least(ended_at, expires_at) < ${at}`.execute(tx);
}
