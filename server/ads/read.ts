import type {
  Ad,
  AdCounts,
  getAdDetails,
  getSimilarZones,
  listMyAds,
  SimilarZone,
  Submission,
} from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { listSimilarZones } from './review-rules/similar-zones.ts';
import { findAdvertisers } from './store-advertisers.ts';
import {
  type AdRow,
  countAdsOfOwner,
  findAd,
  listAdsOfOwner,
  listAdsOfPlans,
  listPendingOfPublisher,
  lockAd,
} from './store.ts';
import { ownAdReply, submissionReply } from './reply.ts';

const DEFAULT_LIMIT = 100;

export async function myAds(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listMyAds>,
): Promise<Page<Ad>> {
  const { limit = DEFAULT_LIMIT, cursor, list, search } = query;
  const page = { before: decodeCursor(cursor), limit: limit + 1 };
  const rows = await listAdsOfOwner(ctx.db, who.id, { list, search, now: ctx.now() }, page);
  return pageOf(rows.map(ownAdReply), limit);
}

/** How many ads the caller has, for the tabs and the figures of the dashboard. */
export async function countOwnAds(ctx: Context, who: Caller): Promise<AdCounts> {
  return await countAdsOfOwner(ctx.db, who.id, ctx.now());
}

/** The ads of plans, by the public id of their plan, in the order of their submission. */
export async function adsOfPlans(tx: Tx, planIds: readonly number[]): Promise<Map<string, Ad[]>> {
  const ads = (await listAdsOfPlans(tx, planIds)).map(ownAdReply);
  return Map.groupBy(ads, ({ plan }) => plan as string);
}

/** Pending ads in the user's own zones with ids above `after`, oldest first. [API-35] */
export async function pendingAds(
  ctx: Context,
  who: Caller,
  page: { after: number; limit: number },
): Promise<Submission[]> {
  const rows = await listPendingOfPublisher(ctx.db, who.id, page);
  const advertisers = await findAdvertisers(
    ctx.db,
    rows.map(({ userId }) => userId),
  );
  return rows.map((row) => submissionReply(row, advertisers));
}

/** Shows an ad to its advertiser or to the zone's publisher. [API-36] */
export async function adDetails(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getAdDetails>,
): Promise<Submission> {
  const ad = await findAd(ctx.db, params.ref);
  if (!ad || (ad.userId !== who.id && ad.publisherId !== who.id))
    throw notFound('Ad not found. Please reload the page.');
  const shown = submissionReply(ad, await findAdvertisers(ctx.db, [ad.userId]));
  return ad.userId === who.id ? { ...shown, ...ownAdReply(ad) } : shown;
}

/** An ad of the caller. Throws 404 for any other. */
export async function findOwnAd(tx: Tx, who: Caller, ref: Reference): Promise<AdRow> {
  const ad = await findAd(tx, ref);
  if (!ad || ad.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
  return ad;
}

/** Locks an ad of the caller until the transaction ends. Throws 404 for any other. */
export async function lockOwnAd(tx: Tx, who: Caller, ref: Reference): Promise<AdRow> {
  const ad = await lockAd(tx, ref);
  if (!ad || ad.userId !== who.id) throw notFound('Ad not found. Please reload the page.');
  return ad;
}

/** Shows an ad to its advertiser, for the checkout. [API-37] */
export async function ownAd(
  ctx: Context,
  who: Caller,
  { params }: Pick<Parsed<typeof getAdDetails>, 'params'>,
): Promise<Ad> {
  return ownAdReply(await findOwnAd(ctx.db, who, params.ref));
}

/** Where an ad of the caller could run instead, after its publisher rejected it or did not answer. */
export async function similarZones(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getSimilarZones>,
): Promise<SimilarZone[]> {
  return await listSimilarZones(ctx.db, (await findOwnAd(ctx.db, who, params.ref)).id);
}
