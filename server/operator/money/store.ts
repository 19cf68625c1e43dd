/** The SQL of the console's pages about money. */
import type { Tx } from '#server/platform/database/database.ts';

export type NamedAd = { id: number; title: string };

/** The ads with these public ids, by them. */
export async function findAdsNamed(tx: Tx, publicIds: readonly string[]): Promise<Map<string, NamedAd>> {
  if (publicIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('ads')
    .select(['id', 'publicId', 'title'])
    .where('publicId', 'in', [...new Set(publicIds)])
    .execute();
  return new Map(rows.map(({ id, publicId, title }) => [publicId, { id, title }]));
}
