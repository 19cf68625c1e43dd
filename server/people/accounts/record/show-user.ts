import type { User } from '#domain/accounts/contract.ts';
import { rightsOf } from '#domain/accounts/members.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readPersonName, readUserExtras, type UserRow, findUser } from './store.ts';
import { userReply } from './reply.ts';
import { unauthorized } from '#server/platform/http/errors.ts';

/** Returns the caller's account, in the form that all calls answer. `member` is the person who acts for it. */
export async function showUser(tx: Tx, row: UserRow, member?: Caller['member']): Promise<User> {
  const extras = await readUserExtras(tx, row.id);
  if (!member) return userReply(row, extras);
  return userReply(row, extras, {
    role: member.role,
    rights: rightsOf(member.role),
    account: extras?.accountName ?? row.email,
    person: await readPersonName(tx, member.id),
  });
}

/** Returns the caller's own row. Throws 401 if the account was deleted since the session was checked. */
export async function ownUser(ctx: Context, who: Caller): Promise<UserRow> {
  const user = await findUser(ctx.db, who.id);
  if (!user) throw unauthorized();
  return user;
}

/** The version of the terms that the user accepted at the sign-up; null if there were none. [OWNS-130] */
export async function acceptedTermsOf(
  ctx: Context,
  userId: number,
): Promise<{ version: number; acceptedAt: Date } | null> {
  const row = await ctx.db
    .selectFrom('users')
    .select(['acceptedTerms', 'acceptedTermsAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row || row.acceptedTerms === null || row.acceptedTermsAt === null) return null;
  return { version: row.acceptedTerms, acceptedAt: row.acceptedTermsAt };
}
