import type { Context, Caller } from '#server/platform/context.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { findUser, type UserRow } from './store.ts';

/** Returns the caller's own row. Throws 401 if the account was deleted since the session was checked. */
export async function ownUser(ctx: Context, who: Caller): Promise<UserRow> {
  const user = await findUser(ctx.db, who.id);
  if (!user) throw unauthorized();
  return user;
}
