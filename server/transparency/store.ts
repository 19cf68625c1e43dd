/** Transparency reads the tables of others, and writes none. */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

export type SellerRow = {
  id: number;
  businessName: string | null;
  /** Of the business, as in its settings. */
  website: string | null;
  /** Of the oldest website it sells space on. */
  siteUrl: string;
};

/** Everybody who offers a website now, oldest account first. */
export async function listSellers(tx: Tx): Promise<SellerRow[]> {
  return tx
    .selectFrom('users')
    .innerJoin('websites', (join) =>
      join.onRef('websites.userId', '=', 'users.id').on('websites.isActive', '=', true),
    )
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .where('users.deletedAt', 'is', null)
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
