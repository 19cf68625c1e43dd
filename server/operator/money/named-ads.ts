import type { Context } from '#server/platform/context.ts';
import { findAdsNamed, type NamedAd } from './store.ts';

export type { NamedAd };

/** The ads that lists of money name by their public ids, by them. */
export async function adsNamed(
  { db }: Pick<Context, 'db'>,
  publicIds: readonly string[],
): Promise<Map<string, NamedAd>> {
  return await findAdsNamed(db, publicIds);
}
