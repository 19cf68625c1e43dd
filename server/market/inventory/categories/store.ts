import { sql } from 'kysely';
import type { Rename } from '#domain/inventory/categories.ts';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Makes changes of settings wait until the transaction ends. Transactions that read the settings don't wait for each
 * other.
 */
export async function lockSettingsForReading(tx: Tx): Promise<void> {
  await sql`lock table settings in row exclusive mode`.execute(tx);
}

/** Returns the former names that websites had. One statement, so that two categories can swap their names. */
export async function renameOnWebsites(tx: Tx, renames: readonly Rename[], now: Date): Promise<string[]> {
  if (renames.length === 0) return [];
  const { rows } = await sql<{ former: string }>`
    with renamed as (
      select * from unnest(${renames.map(({ from }) => from)}::text[], ${renames.map(({ to }) => to)}::text[])
        as names (former, name)),
    found as (
      select w.id, renamed.former, renamed.name from websites w join renamed on renamed.former = w.category
        order by w.id for no key update of w),
    written as (
      update websites set category = found.name, updated_at = ${now} from found where websites.id = found.id
        returning found.former)
    select distinct former from written`.execute(tx);
  return rows.map(({ former }) => former);
}
