/** Advertisers whose ads for a host are approved on a website when they are submitted, because its publisher trusts them. [REV-05] */
import type { listTrusted, TrustedAdvertiser, removeTrusted } from '#domain/ads/trust-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { decodeCursor, pageOf } from '../../http/cursor.ts';
import { notFound } from '../../http/errors.ts';
import type { Page } from '../../http/route.ts';
import { hostOf } from '../../net/web-address.ts';

type AdOfWebsite = { websiteId: number; userId: number; targetUrl: string };

const keyOf = ({ websiteId, userId, targetUrl }: AdOfWebsite) => ({
  websiteId,
  userId,
  host: hostOf(targetUrl),
});

/** Trusts the advertiser of an ad for the host of its target on its website. */
export async function trustAdvertiser(tx: Tx, ad: AdOfWebsite, now: Date): Promise<void> {
  await tx
    .insertInto('trustedAdvertisers')
    .values({ ...keyOf(ad), createdAt: now })
    .onConflict((conflict) => conflict.columns(['websiteId', 'userId', 'host']).doNothing())
    .execute();
}

/** Whether the publisher trusts the advertiser of an ad for the host of its target. Holds the trust, so that it is not ended meanwhile. */
export async function isTrusted(tx: Tx, ad: AdOfWebsite): Promise<boolean> {
  const { websiteId, userId, host } = keyOf(ad);
  const row = await tx
    .selectFrom('trustedAdvertisers')
    .select('id')
    .where('websiteId', '=', websiteId)
    .where('userId', '=', userId)
    .where('host', '=', host)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

const DEFAULT_LIMIT = 100;

export async function trustedAdvertisers(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listTrusted>,
): Promise<Page<TrustedAdvertiser>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const after = decodeCursor(query.cursor) ?? 0;
  const rows = await ctx.db
    .selectFrom('trustedAdvertisers')
    .innerJoin('websites', 'websites.id', 'trustedAdvertisers.websiteId')
    .innerJoin('users', 'users.id', 'trustedAdvertisers.userId')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .select([
      'trustedAdvertisers.id',
      'trustedAdvertisers.host',
      'trustedAdvertisers.createdAt',
      'websites.publicId as websitePublicId',
      'websites.shownName as websiteName',
      'users.firstName',
      'users.lastName',
      'userSettings.businessName',
    ])
    .where('websites.userId', '=', who.id)
    .where('trustedAdvertisers.id', '>', after)
    .orderBy('trustedAdvertisers.id')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows.map((row) => ({
      id: row.id,
      advertiser: {
        name: [row.firstName, row.lastName].filter(Boolean).join(' ') || null,
        businessName: row.businessName || null,
      },
      host: row.host,
      websitePublicId: row.websitePublicId,
      websiteName: row.websiteName,
      since: row.createdAt.toISOString(),
    })),
    limit,
  );
}

/** Ends the trust. Ads that were approved stay approved. */
export async function endTrust(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof removeTrusted>,
): Promise<{ success: true }> {
  const removed = await ctx.db
    .deleteFrom('trustedAdvertisers')
    .using('websites')
    .whereRef('websites.id', '=', 'trustedAdvertisers.websiteId')
    .where('websites.userId', '=', who.id)
    .where('trustedAdvertisers.id', '=', params.id)
    .returning('trustedAdvertisers.id')
    .executeTakeFirst();
  if (!removed) throw notFound('You don’t trust this advertiser any more. Please reload the page.');
  return { success: true };
}
