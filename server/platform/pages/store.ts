/** The SQL of readers of the operator's pages. server/operator/pages/store.ts writes them. */
import type { PageKey } from '#domain/pages.ts';
import type { Tx } from '../database/database.ts';

/** The text that everybody can read. Undefined if the page is not published. */
export async function findPublished(tx: Tx, key: PageKey) {
  return await tx
    .selectFrom('publishedPages as p')
    .innerJoin('pageVersions as v', (join) =>
      join.onRef('v.key', '=', 'p.key').onRef('v.version', '=', 'p.version'),
    )
    .select(['v.text', 'v.savedAt'])
    .where('p.key', '=', key)
    .executeTakeFirst();
}
