/** The SQL of members of accounts, their invitations, and the account for which a session acts. */
import { sql } from 'kysely';
import type { MemberRole } from '#domain/accounts/members.ts';
import { ACCOUNT_NAME, PERSON_NAME } from '../accounts/record/rules.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** Those who have joined and the invitations that can be accepted, oldest first. */
export async function selectMembers(tx: Tx, accountId: number, at: Date) {
  return await tx
    .selectFrom('accountMembers as member')
    .leftJoin('users', 'users.id', 'member.userId')
    .select(['member.id', 'member.role', 'member.userId', 'member.expiresAt', 'member.invitedBy'])
    .select(PERSON_NAME.as('name'))
    .select(sql<string>`coalesce(users.email, member.email)`.as('email'))
    .$narrowType<{ role: MemberRole }>()
    .where('member.accountId', '=', accountId)
    .where((where) => where.or([where('member.expiresAt', 'is', null), where('member.expiresAt', '>', at)]))
    .orderBy('member.id')
    .execute();
}
export type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

/** Locks accounts, in order. Members and invitations of an account change under its lock, so that their number is right. */
export async function lockAccounts(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();
}

/** Stores an invitation, in place of an earlier one to the address. Returns its id. */
export async function upsertInvitation(
  tx: Tx,
  invitation: {
    accountId: number;
    email: string;
    role: MemberRole;
    tokenHash: Buffer;
    expiresAt: Date;
    invitedBy: number;
    invitedAt: Date;
  },
): Promise<number> {
  const { role, tokenHash, expiresAt, invitedBy, invitedAt } = invitation;
  const { id } = await tx
    .insertInto('accountMembers')
    .values(invitation)
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'email'])
        .doUpdateSet({ role, tokenHash, expiresAt, invitedBy, invitedAt }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The invitation of a token, while it can be accepted. */
export async function findInvitation(tx: Tx, tokenHash: Buffer, at: Date) {
  return await tx
    .selectFrom('accountMembers')
    .select(['id', 'accountId', 'email', 'role'])
    .$narrowType<{ email: string; role: MemberRole }>()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', at)
    .executeTakeFirst();
}

/** Makes the person a member by an invitation. Null if it was accepted, withdrawn or replaced meanwhile. */
export async function acceptInvitation(
  tx: Tx,
  { tokenHash, userId, at }: { tokenHash: Buffer; userId: number; at: Date },
): Promise<MemberRole | null> {
  const row = await tx
    .updateTable('accountMembers')
    .set({ userId, joinedAt: at, email: null, tokenHash: null, expiresAt: null })
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', at)
    .returning('role')
    .$narrowType<{ role: MemberRole }>()
    .executeTakeFirst();
  return row?.role ?? null;
}

/** Returns whether the account has such a member or invitation. */
export async function updateRole(
  tx: Tx,
  { accountId, id, role, at }: { accountId: number; id: number; role: MemberRole; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accountMembers')
    .set({ role, roleChangedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns whether the account had such a member or invitation. */
export async function deleteMember(tx: Tx, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('accountMembers')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes members and invitations of an account: all, or those that were made or got another role since then. */
export async function deleteMembersSince(tx: Tx, accountId: number, since: Date | null): Promise<void> {
  await tx
    .deleteFrom('accountMembers')
    .where('accountId', '=', accountId)
    .$if(since !== null, (query) =>
      query.where(sql<boolean>`greatest(invited_at, joined_at, role_changed_at) >= ${since}`),
    )
    .execute();
}

export async function hasMember(tx: Tx, accountId: number, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('accountMembers')
    .select('id')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether the person was a member of the account. */
export async function deleteMembership(tx: Tx, accountId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('accountMembers')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The live accounts of which the person is a member, by name. */
export async function selectAccountsOf(tx: Tx, userId: number) {
  return await tx
    .selectFrom('accountMembers as member')
    .innerJoin('users', 'users.id', 'member.accountId')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .select(['users.id', 'member.role', 'member.joinedAt', ACCOUNT_NAME.as('name')])
    .$narrowType<{ role: MemberRole; joinedAt: Date }>()
    .where('member.userId', '=', userId)
    .where('users.deletedAt', 'is', null)
    .orderBy('name')
    .orderBy('users.id')
    .execute();
}

/** The names and the address of a live account. */
export async function findAccount(tx: Tx, id: number) {
  return await tx
    .selectFrom('users')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .select(['users.email', 'users.isEmailVerified', ACCOUNT_NAME.as('name'), PERSON_NAME.as('person')])
    .where('users.id', '=', id)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
}

/** Returns for which account the session acts. Undefined if the session has ended. */
export async function readActingFor(tx: Tx, sid: string): Promise<number | null | undefined> {
  const row = await tx.selectFrom('sessions').select('actingFor').where('sid', '=', sid).executeTakeFirst();
  return row?.actingFor;
}

/** Lets the session act for an account of which its person is a member. Returns whether they are. */
export async function actFor(
  tx: Tx,
  { sid, accountId, userId }: { sid: string; accountId: number; userId: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ actingFor: accountId })
    .where('sid', '=', sid)
    .where((where) =>
      where.exists(
        where
          .selectFrom('accountMembers')
          .innerJoin('users', 'users.id', 'accountMembers.accountId')
          .select('accountMembers.id')
          .where('accountMembers.accountId', '=', accountId)
          .where('accountMembers.userId', '=', userId)
          .where('users.deletedAt', 'is', null),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets the session act for its own person again; with `from`, only if it acts for that account. */
export async function actForOneself(tx: Tx, sid: string, from?: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ actingFor: null })
    .where('sid', '=', sid)
    .$if(from !== undefined, (query) => query.where('actingFor', '=', from as number))
    .execute();
}

/** All invitations to an address, oldest first. */
export async function selectInvitationsTo(tx: Tx, email: string) {
  return await tx
    .selectFrom('accountMembers')
    .select(['role', 'invitedAt', 'expiresAt'])
    .$narrowType<{ expiresAt: Date }>()
    .where('email', '=', email)
    .orderBy('id')
    .execute();
}

/** Deletes the memberships of a person, present and past, those of their account, and the invitations to their address. */
export async function deleteAllOf(tx: Tx, userId: number, email: string): Promise<void> {
  await tx
    .deleteFrom('accountMembers')
    .where((where) =>
      where.or([where('accountId', '=', userId), where('userId', '=', userId), where('email', '=', email)]),
    )
    .execute();
  await tx
    .deleteFrom('accountTies')
    .where((where) => where.or([where('accountId', '=', userId), where('userId', '=', userId)]))
    .execute();
}

export async function deleteExpired(tx: Tx, at: Date): Promise<void> {
  await tx.deleteFrom('accountMembers').where('expiresAt', '<', at).execute();
}
