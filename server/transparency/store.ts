/** Queries that only read tables of other domains. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

export type SellerRow = {
  id: number;
  businessName: string | null;
  /** The website of the business, as entered in its settings. */
  website: string | null;
  /** The address of the publisher's oldest website here. */
  siteUrl: string;
};

/** Every publisher with an active website that is not suspended, oldest account first. */
export async function listSellers(tx: Tx): Promise<SellerRow[]> {
  return tx
    .selectFrom('users')
    .innerJoin('websites', (join) =>
      join.onRef('websites.userId', '=', 'users.id').on('websites.isActive', '=', true),
    )
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .where('users.deletedAt', 'is', null)
    .where('users.suspendedAt', 'is', null)
    .where('websites.suspendedAt', 'is', null)
    .distinctOn('users.id')
    .select([
      'users.id',
      sql<string | null>`nullif(btrim(user_settings.business_name), '')`.as('businessName'),
      sql<string | null>`nullif(btrim(user_settings.website), '')`.as('website'),
      'websites.url as siteUrl',
    ])
    .orderBy('users.id')
    .orderBy('websites.id')
    .execute();
}
