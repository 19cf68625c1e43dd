import type { Database } from '../db/database.ts';

export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Whether the installation has an account. The first page asks at each request, so the database is asked only until there is
 * one. The answer may be late by one request.
 */
export async function watchFirstAccount(
  db: Database,
  warn: (error: unknown) => void,
): Promise<{ exist: () => boolean }> {
  let exist = await hasAccounts(db);
  const look = async () => {
    if (await hasAccounts(db)) exist = true;
  };
  return {
    exist: () => {
      if (!exist) look().catch(warn);
      return exist;
    },
  };
}
