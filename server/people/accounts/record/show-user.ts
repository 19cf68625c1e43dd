import type { User } from '#domain/accounts/contract.ts';
import { rightsOf } from '#domain/accounts/members.ts';
import type { Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readPersonName, readUserExtras, type UserRow } from './store.ts';
import { viewUser } from './view.ts';

/** Returns the caller's account, in the form that all calls answer. `member` is the person who acts for it. */
export async function showUser(tx: Tx, row: UserRow, member?: Caller['member']): Promise<User> {
  const extras = await readUserExtras(tx, row.id);
  if (!member) return viewUser(row, extras);
  return viewUser(row, extras, {
    role: member.role,
    rights: rightsOf(member.role),
    account: extras?.accountName ?? row.email,
    person: await readPersonName(tx, member.id),
  });
}
