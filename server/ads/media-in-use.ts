import type { Tx } from '../db/database.ts';

/** The `/ad-images/…` paths, and addresses elsewhere, that the user's ads show. */
export async function mediaInUse(tx: Tx, userId: number): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('ads')
    .select(['imageUrl', 'videoUrl'])
    .where('userId', '=', userId)
    .execute();
  return new Set(
    rows.flatMap(({ imageUrl, videoUrl }) => [imageUrl, videoUrl]).filter((url) => url !== null),
  );
}
