/** The keys of sealed IBANs and bank files, and how they follow a new secret of SESSION_SECRET. */
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { seal, unseal } from '#server/platform/seal.ts';

/** Names the key of IBANs, which are bound to their owner, and of files, which are bound to their number. */
export const BANK_KEY = 'bank-account';

const RESEALED_AT_ONCE = 200;

type Sealed = { id: number; owner: number; sealed: Buffer };

/** Reads some sealed texts after `after`, locked, and writes one. */
const TABLES = {
  bankAccounts: {
    read: async (tx: Tx, after: number, limit: number): Promise<Sealed[]> =>
      await tx
        .selectFrom('bankAccounts')
        .select(['id', 'userId as owner', 'iban as sealed'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .forNoKeyUpdate()
        .execute(),
    write: async (tx: Tx, id: number, iban: Buffer) =>
      await tx.updateTable('bankAccounts').set({ iban }).where('id', '=', id).execute(),
  },
  bankFiles: {
    read: async (tx: Tx, after: number, limit: number): Promise<Sealed[]> =>
      await tx
        .selectFrom('bankFiles')
        .select(['id', 'id as owner', 'content as sealed'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .forNoKeyUpdate()
        .execute(),
    write: async (tx: Tx, id: number, content: Buffer) =>
      await tx.updateTable('bankFiles').set({ content }).where('id', '=', id).execute(),
  },
};

/**
 * Seals all IBANs and bank files with the first secret of SESSION_SECRET, so that the older ones can be removed. Does
 * nothing if there is only one. [OPS-11]
 */
export async function resealBank(ctx: Pick<Context, 'db' | 'keysFor'>): Promise<void> {
  const [newest, ...older] = ctx.keysFor(BANK_KEY);
  if (newest === undefined || older.length === 0) return;
  for (const { read, write } of Object.values(TABLES)) {
    for (let after = 0, isMore = true; isMore;) {
      isMore = await ctx.db.transaction().execute(async (tx) => {
        const rows = await read(tx, after, RESEALED_AT_ONCE);
        for (const { id, owner, sealed } of rows) {
          const plain = unseal([newest], owner, sealed) ? null : unseal(older, owner, sealed);
          if (plain) await write(tx, id, seal(newest, owner, plain));
          after = id;
        }
        return rows.length > 0;
      });
    }
  }
}

/** The number of IBANs and bank files that need an older secret of SESSION_SECRET. [OPS-11] */
export async function countOldBankSeals(tx: Tx, keysFor: Context['keysFor']): Promise<number> {
  const [newest, ...older] = keysFor(BANK_KEY);
  if (newest === undefined) return 0;
  let old = 0;
  for (const { read } of Object.values(TABLES))
    for (let after = 0, isMore = true; isMore;) {
      const rows = await read(tx, after, RESEALED_AT_ONCE);
      old += rows.filter(
        ({ owner, sealed }) => !unseal([newest], owner, sealed) && unseal(older, owner, sealed),
      ).length;
      after = rows.at(-1)?.id ?? after;
      isMore = rows.length > 0;
    }
  return old;
}
