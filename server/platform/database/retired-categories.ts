import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * The categories of active websites that are none of these. Steps from one category to the next in the index
 * websites_by_category, because a large marketplace has many websites of each.
 */
export async function retiredCategories(tx: Tx, categories: readonly string[]): Promise<string[]> {
  const next = (after: ReturnType<typeof sql>) =>
    sql`(select category from websites where is_active ${after} order by category limit 1)`;
  const { rows } = await sql<{ category: string }>`
    with recursive used as (
      ${next(sql``)}
      union all
      select ${next(sql`and category > used.category`)} from used where used.category is not null)
    select category from used where category is not null and category <> all(${categories}::text[])`.execute(
    tx,
  );
  return rows.map(({ category }) => category);
}
