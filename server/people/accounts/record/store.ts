import { sql, type Updateable } from 'kysely';
import type { Role } from '#domain/accounts/roles.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { UserSettings, Users } from '#server/platform/database/tables.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { ACCOUNT_NAME, PERSON_NAME } from './rules.ts';

/** Leaves out deleted accounts whose rows are kept for their paid history. */
function users(tx: Tx) {
  return tx.selectFrom('users').selectAll().where('deletedAt', 'is', null);
}

export async function findUser(tx: Tx, id: number) {
  return await users(tx).where('id', '=', id).executeTakeFirst();
}
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

export async function findUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return await users(tx).where('email', '=', email).executeTakeFirst();
}

// These functions do not take the strongest lock, so that other transactions can still write rows that refer to the
// user. Otherwise a transaction that holds an ad and inserts such a row would deadlock with a deletion that holds the
// user and waits for the ad.

export async function lockUser(tx: Tx, id: number): Promise<UserRow | undefined> {
  return await users(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function lockUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return await users(tx).where('email', '=', email).forNoKeyUpdate().executeTakeFirst();
}

/** Returns the password's hash after waiting for a transaction that is changing it. Null if the account is gone. */
export async function readPassword(tx: Tx, id: number): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('password')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row?.password ?? null;
}

export type NewUser = { email: string; password: string; firstName: string | null; lastName: string | null };

/** Creates a user with default settings, but for the timezone. Returns null if the address is taken. */
export async function insertUser(
  tx: Tx,
  user: NewUser,
  createdAt: Date,
  {
    timezone = 'UTC',
    acceptedTerms,
  }: { timezone?: string | undefined; acceptedTerms?: number | undefined } = {},
): Promise<{ id: number } | null> {
  const row = await tx
    .insertInto('users')
    .values({
      ...user,
      createdAt,
      updatedAt: createdAt,
      ...(acceptedTerms !== undefined && { acceptedTerms, acceptedTermsAt: createdAt }),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return null;
  await insertSettings(tx, row.id, createdAt, timezone);
  return row;
}

async function insertSettings(tx: Tx, userId: number, createdAt: Date, timezone = 'UTC'): Promise<void> {
  await tx
    .insertInto('userSettings')
    .columns(['userId', 'timezone', 'createdAt', 'updatedAt'])
    // A deleted account gets no settings. The lock waits for a deletion that is under way.
    .expression((from) =>
      from
        .selectFrom('users')
        .select([
          'id',
          sql<string>`known_timezone(${timezone})`.as('timezone'),
          from.val(createdAt).as('createdAt'),
          from.val(createdAt).as('updatedAt'),
        ])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null)
        .forShare(),
    )
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
}

export async function markVerified(tx: Tx, id: number, now: Date): Promise<UserRow> {
  return await update(tx, id, { isEmailVerified: true, updatedAt: now });
}

export async function updatePassword(tx: Tx, id: number, password: string, now: Date): Promise<UserRow> {
  return await update(tx, id, { password, updatedAt: now });
}

export async function updateRole(tx: Tx, id: number, role: Role, now: Date): Promise<UserRow> {
  return await update(tx, id, { role, hasCompletedOnboarding: true, updatedAt: now });
}

export type ProfileChange = Partial<
  Pick<UserRow, 'firstName' | 'lastName' | 'email' | 'isEmailVerified' | 'profileImageUrl'>
>;

export async function updateUser(tx: Tx, id: number, change: ProfileChange, now: Date): Promise<UserRow> {
  return await update(tx, id, { ...change, updatedAt: now });
}

async function update(tx: Tx, id: number, change: Updateable<Users>): Promise<UserRow> {
  return await tx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    // The account was deleted since the session was checked.
    .executeTakeFirstOrThrow(() => unauthorized());
}

/** Returns what other tables hold for the user's own view. */
/** Throws 401 if the person's account was deleted since the session was checked. */
export async function readPersonName(tx: Tx, id: number): Promise<string> {
  const { name } = await tx
    .selectFrom('users')
    .select(PERSON_NAME.as('name'))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => unauthorized());
  return name;
}

export async function readUserExtras(tx: Tx, userId: number) {
  return await tx
    .selectFrom('users')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .leftJoin('emailChanges', (join) =>
      join.onRef('emailChanges.userId', '=', 'users.id').on('emailChanges.closedAt', 'is', null),
    )
    .leftJoin('operators', 'operators.userId', 'users.id')
    .select(sql<string>`known_timezone(user_settings.timezone)`.as('timezone'))
    .select('emailChanges.oldEmail as previousEmail')
    .select(ACCOUNT_NAME.as('accountName'))
    .select(sql<boolean>`operators.user_id is not null`.as('isOperator'))
    .select(
      sql<boolean>`exists (select from account_members where account_members.user_id = users.id)`.as(
        'hasOtherAccounts',
      ),
    )
    .where('users.id', '=', userId)
    .executeTakeFirst();
}
export type UserExtras = Awaited<ReturnType<typeof readUserExtras>>;

export async function readSettings(tx: Tx, userId: number, now: Date) {
  const read = tx.selectFrom('userSettings').selectAll().where('userId', '=', userId);
  const row = await read.executeTakeFirst();
  if (row) return row;
  await insertSettings(tx, userId, now);
  // The account was deleted since the session was checked.
  return await read.executeTakeFirstOrThrow(() => unauthorized());
}
export type SettingsRow = Awaited<ReturnType<typeof readSettings>>;

export async function changeSettings(
  tx: Tx,
  userId: number,
  change: Omit<Updateable<UserSettings>, 'id' | 'userId'>,
): Promise<SettingsRow> {
  return await tx
    .updateTable('userSettings')
    .set(change)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow(() => unauthorized());
}

/** Removes the personal data from the row, which stays for the other party of paid ads. */
export async function anonymizeUser(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.deleteFrom('userSettings').where('userId', '=', id).execute();
  await tx
    .updateTable('users')
    .set({
      // `.invalid` receives no mail (RFC 2606). The user's own address can be registered again.
      email: `deleted-${id}@deleted.invalid`,
      password: '',
      firstName: null,
      lastName: null,
      profileImageUrl: null,
      isEmailVerified: false,
      verificationCode: null,
      verificationCodeExpires: null,
      passwordResetCode: null,
      passwordResetExpires: null,
      stripeCustomerId: null,
      stripeSubscriptionId: null,
      deletedAt: now,
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}

/** Whether the account is an operator's. Holds the lock under which operators are added (server/operator/store.ts). */
export async function holdsOperator(tx: Tx, userId: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('operators'))`.execute(tx);
  const row = await tx
    .selectFrom('operators')
    .select('userId')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}
