/** Queries that only read tables of other domains. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

export type SellerRow = {
  id: number;
  businessName: string | null;
  /** The website of the business, as entered in its settings. */
  website: string | null;
  /** The address of the publisher's oldest website here. */
  siteUrl: string;
};

/** Every publisher with a website that is offered, oldest account first. */
export async function listSellers(tx: Tx): Promise<SellerRow[]> {
  return tx
    .selectFrom('users')
    .innerJoin('websites', 'websites.userId', 'users.id')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .where('users.deletedAt', 'is', null)
    .where(sql<boolean>`is_website_offered(websites, users)`)
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
