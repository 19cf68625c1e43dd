/** Advertisers whose ads a publisher takes no more. */
import type { BlockedAdvertiser, listBlocked, unblockAdvertiser } from '#domain/ads/block-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { endTrustIn } from './trust.ts';

/** Throws 409 if the publisher of a zone has blocked the advertiser. The caller holds the zone's website. */
export async function requireUnblocked(tx: Tx, zoneId: number, advertiserId: number): Promise<void> {
  const blocked = await tx
    .selectFrom('blockedAdvertisers')
    .innerJoin('websites', 'websites.userId', 'blockedAdvertisers.userId')
    .innerJoin('adZones', 'adZones.websiteId', 'websites.id')
    .select('blockedAdvertisers.id')
    .where('adZones.id', '=', zoneId)
    .where('blockedAdvertisers.advertiserId', '=', advertiserId)
    .executeTakeFirst();
  if (blocked)
    throw conflict('This publisher doesn’t take your ads. Please choose an ad zone of another publisher.', {
      reason: 'blocked',
    });
}

/**
 * Stores the block, ends the publisher's trust in the advertiser, and returns the advertiser's waiting ads in all zones of
 * the publisher, which it has locked.
 */
export async function blockFor(
  tx: Tx,
  publisherId: number,
  advertiserId: number,
  now: Date,
): Promise<number[]> {
  // A submission holds the website, so each one is either seen here or sees the block.
  const websites = await tx
    .selectFrom('websites')
    .select('id')
    .where('userId', '=', publisherId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const websiteIds = websites.map(({ id }) => id);
  await tx
    .insertInto('blockedAdvertisers')
    .values({ userId: publisherId, advertiserId, createdAt: now })
    .onConflict((conflicting) => conflicting.columns(['userId', 'advertiserId']).doNothing())
    .execute();
  await endTrustIn(tx, websiteIds, advertiserId);
  const ads = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .select('ads.id')
    .where('ads.userId', '=', advertiserId)
    .where('ads.status', '=', 'pending')
    .where('adZones.websiteId', 'in', websiteIds)
    .orderBy('ads.id')
    .forNoKeyUpdate('ads')
    .execute();
  return ads.map(({ id }) => id);
}

const DEFAULT_LIMIT = 100;

export async function blockedAdvertisers(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listBlocked>,
): Promise<Page<BlockedAdvertiser>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await ctx.db
    .selectFrom('blockedAdvertisers')
    .innerJoin('users', 'users.id', 'blockedAdvertisers.advertiserId')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .select(['blockedAdvertisers.id', 'blockedAdvertisers.createdAt'])
    .select(['users.firstName', 'users.lastName', 'userSettings.businessName'])
    .where('blockedAdvertisers.userId', '=', who.id)
    .where('blockedAdvertisers.id', '>', decodeCursor(query.cursor) ?? 0)
    .orderBy('blockedAdvertisers.id')
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows.map(({ id, firstName, lastName, businessName, createdAt }) => ({
      id,
      advertiser: {
        name: [firstName, lastName].filter(Boolean).join(' ') || null,
        businessName: businessName || null,
      },
      since: createdAt.toISOString(),
    })),
    limit,
  );
}

/** Ads that were rejected stay rejected. The advertiser can resubmit them. */
export async function unblock(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof unblockAdvertiser>,
): Promise<{ success: true }> {
  const removed = await ctx.db
    .deleteFrom('blockedAdvertisers')
    .where('userId', '=', who.id)
    .where('id', '=', params.id)
    .returning('id')
    .executeTakeFirst();
  if (!removed) throw notFound('You don’t block this advertiser any more. Please reload the page.');
  return { success: true };
}
