/** Advertisers whose ads for a host are approved on a website when they are submitted, because its publisher trusts them. */
import type { listTrusted, TrustedAdvertiser, removeTrusted } from '#domain/ads/trust-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { hostOf } from '#server/platform/net/web-address.ts';

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

/**
 * Where a target leads that the publisher approves by their trust: where the latest other ad of the advertiser leads that
 * was approved for the same host on the website, and without one the host itself. So the first redirect of a new ad is not
 * approved unseen. [DEST-05]
 */
export async function trustedHostOf(tx: Tx, ad: AdOfWebsite & { id: number }): Promise<string> {
  const { websiteId, userId, host } = keyOf(ad);
  const latest = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('targetChecks', 'targetChecks.adId', 'ads.id')
    .select('targetChecks.approvedHost')
    .where('ads.userId', '=', userId)
    .where('ads.id', '<>', ad.id)
    .where('ads.approvedAt', 'is not', null)
    .where('adZones.websiteId', '=', websiteId)
    .where('targetChecks.host', '=', host)
    .where('targetChecks.approvedHost', 'is not', null)
    .orderBy('ads.approvedAt', 'desc')
    .orderBy('ads.id', 'desc')
    .executeTakeFirst();
  return latest?.approvedHost ?? host;
}

/** Ends the trust in an advertiser on these websites. */
export async function endTrustIn(tx: Tx, websiteIds: readonly number[], userId: number): Promise<void> {
  await tx
    .deleteFrom('trustedAdvertisers')
    .where('websiteId', 'in', websiteIds)
    .where('userId', '=', userId)
    .execute();
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
