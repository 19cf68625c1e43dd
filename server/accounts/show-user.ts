import type { User } from '#domain/accounts/contract.ts';
import type { Tx } from '../db/database.ts';
import { readUserExtras, type UserRow } from './store.ts';
import { viewUser } from './view.ts';

/** Returns the caller's own user, in the form that all calls answer. */
export async function showUser(tx: Tx, row: UserRow): Promise<User> {
  return viewUser(row, await readUserExtras(tx, row.id));
}
