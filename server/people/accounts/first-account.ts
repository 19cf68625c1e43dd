import type { Database } from '#server/platform/database/database.ts';

export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Says whether the installation has an account, and asks the database only until there is one. */
export function watchFirstAccount(db: Database): () => Promise<boolean> {
  let isKnown = false;
  return async () => {
    isKnown ||= await hasAccounts(db);
    return isKnown;
  };
}
