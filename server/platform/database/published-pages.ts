import { PAGE_KEYS, type PageVersions } from '#domain/pages.ts';
import type { Tx } from './database.ts';

/** The versions of the operator's pages that everybody can read now. Leaves out the pages of a newer release. */
export async function publishedPages(tx: Tx): Promise<PageVersions> {
  const rows = await tx
    .selectFrom('publishedPages')
    .select(['key', 'version'])
    .where('key', 'in', PAGE_KEYS)
    .execute();
  return Object.fromEntries(rows.map(({ key, version }) => [key, version]));
}
