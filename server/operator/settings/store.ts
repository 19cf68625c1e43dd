/** The SQL by which operators change settings. platform/database/settings.ts reads them. */
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { TaxTable } from '#domain/payments/tax.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Settings } from '#server/platform/database/tables.ts';

/** Makes changes wait for each other. Servers that read the settings do not wait. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`lock table settings in share row exclusive mode`.execute(tx);
}

export async function upsertSetting(tx: Tx, { name, ...row }: Insertable<Settings>): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** A file that is stored already has the same bytes. */
export async function insertBrandFiles(
  tx: Tx,
  files: readonly { name: string; bytes: Buffer }[],
  createdAt: Date,
): Promise<void> {
  await tx
    .insertInto('brandFiles')
    .values(files.map(({ name, bytes }) => ({ name, bytes, createdAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether all of these files are stored. */
export async function hasBrandFiles(tx: Tx, names: readonly string[]): Promise<boolean> {
  const found = await tx.selectFrom('brandFiles').select('name').where('name', 'in', names).execute();
  return found.length === new Set(names).size;
}

/** Returns false if the database does not have it. */
export async function deleteSetting(tx: Tx, name: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('settings').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Makes processes that start at once wait for each other. */
export async function lockTaxTables(tx: Tx): Promise<void> {
  await sql`lock table tax_tables in share row exclusive mode`.execute(tx);
}

/** The table of tax rates of the start before; null if it had none, or if there was none. */
export async function findNotedTaxTable(tx: Tx): Promise<TaxTable | null> {
  const row = await tx
    .selectFrom('taxTables')
    .select('content')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.content ?? null) as TaxTable | null;
}

export async function insertTaxTable(
  tx: Tx,
  { content, notedAt }: { content: TaxTable | null; notedAt: Date },
): Promise<void> {
  await tx
    .insertInto('taxTables')
    .values({ content: content && JSON.stringify(content), notedAt })
    .execute();
}

/** Writes the percent of a publisher's new ads, null for the marketplace's, and returns the one before. */
export async function writeCommission(
  tx: Tx,
  userId: number,
  percent: number | null,
): Promise<string | null> {
  const before = await tx
    .selectFrom('users')
    .select('commissionPercent')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('users')
    .set({ commissionPercent: percent === null ? null : String(percent) })
    .where('id', '=', userId)
    .execute();
  return before.commissionPercent;
}
